import { VigiaError } from '@vigia/contracts/errors'
import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'
import type { Api } from '../../../api/client.ts'
import { createMjpegParser, type TileHeader } from './mjpeg-parser.ts'

/** The newest picture of one camera. */
export interface Still {
  /** Object URL. */
  readonly url: string
  /** Epoch ms of its arrival. */
  readonly at: number
}

/** The pictures of the cameras on the screen, over one connection to the cloud. */
export interface Mosaic {
  /** Cameras on the screen, and the one in the large slot. Other pictures are neither fetched nor kept. */
  show(ids: readonly number[], grande: number | null): void
  still(cameraId: number): Still | null
  subscribe(cameraId: number, listener: () => void): () => void
  /** Cameras in which something moved lately, at most MOST_LIVE. The list stays the same object until it changes. */
  moving(): readonly number[]
  subscribeMoving(listener: () => void): () => void
  stop(): void
}

interface MosaicDeps {
  readonly stream: Api['stream']
  onSessionEnded(): void
  /** A camera is gone: the list of cameras is out of date. */
  onUnknownCamera(): void
  readonly gatherMs?: number
  readonly backoff?: BackoffLimits
}

/** Largest number of cameras that the cloud accepts in one request. */
const MAX_TILES = 64
const BACKOFF: BackoffLimits = { minMs: 1_000, maxMs: 30_000 }
/** Lifetime from which a connection counts as stable: the next loss starts with the shortest delay. */
const STABLE_MS = 5_000

/** Tiles that play live video at the same time. */
const MOST_LIVE = 15
/** A tile is live for this long after the last movement. */
const MOVED_MS = 60_000
const NONE: readonly number[] = []

export function createMosaic({
  stream,
  onSessionEnded,
  onUnknownCamera,
  gatherMs = 300,
  backoff = BACKOFF,
}: MosaicDeps): Mosaic {
  /** The last two pictures of each camera: the previous one stays on the screen until the next one is decoded. */
  const kept = new Map<number, { readonly still: Still; readonly before: Still | null }>()
  const listeners = new Map<number, Set<() => void>>()
  let wanted: { readonly ids: readonly number[]; readonly grande: number | null } = { ids: [], grande: null }
  let open: { readonly path: string; readonly abort: AbortController } | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0

  /** Epoch ms of the last movement. */
  const movedAt = new Map<number, number>()
  let moving = NONE
  const movingListeners = new Set<() => void>()

  function updateMoving(): void {
    const since = Date.now() - MOVED_MS
    for (const [id, at] of movedAt) if (at < since || !wanted.ids.includes(id)) movedAt.delete(id)
    const latest = [...movedAt].toSorted(([, a], [, b]) => b - a).slice(0, MOST_LIVE)
    const next = latest.map(([id]) => id).toSorted((a, b) => a - b)
    if (next.join() === moving.join()) return
    moving = next
    for (const listener of movingListeners) listener()
  }

  const notify = (cameraId: number) => {
    for (const listener of listeners.get(cameraId) ?? []) listener()
  }

  function forget(cameraId: number): void {
    const entry = kept.get(cameraId)
    kept.delete(cameraId)
    for (const still of [entry?.still, entry?.before]) if (still) URL.revokeObjectURL(still.url)
    notify(cameraId)
  }

  function put(jpeg: Uint8Array<ArrayBuffer>, tile: TileHeader | null): void {
    if (tile === null || !wanted.ids.includes(tile.cameraId)) return
    const { cameraId, isMoving } = tile
    if (isMoving) movedAt.set(cameraId, Date.now())
    updateMoving()
    const entry = kept.get(cameraId)
    if (entry?.before) URL.revokeObjectURL(entry.before.url)
    const still = { url: URL.createObjectURL(new Blob([jpeg], { type: 'image/jpeg' })), at: Date.now() }
    kept.set(cameraId, { still, before: entry?.still ?? null })
    notify(cameraId)
  }

  function pathOf({ ids, grande }: typeof wanted): string | null {
    if (ids.length === 0) return null
    const large = grande !== null && ids.includes(grande) ? `&grande=${grande}` : ''
    return `/miniaturas?cameras=${[...ids].sort((a, b) => a - b).join(',')}${large}`
  }

  function schedule(ms: number): void {
    clearTimeout(timer)
    timer = setTimeout(() => void connect(), ms)
  }

  async function connect(): Promise<void> {
    const path = pathOf(wanted)
    if (path === (open?.path ?? null)) return
    open?.abort.abort()
    open = null
    if (path === null) return
    const mine = { path, abort: new AbortController() }
    open = mine
    const openedAt = performance.now()
    try {
      await stream(path, createMjpegParser((jpeg, _, tile) => put(jpeg, tile)).push, mine.abort.signal)
    } catch (error) {
      if (mine.abort.signal.aborted) return
      if (error instanceof VigiaError && error.code === 'nao_autenticado') return onSessionEnded()
      if (error instanceof VigiaError && error.code === 'nao_encontrado') onUnknownCamera()
      else if (!(error instanceof VigiaError)) console.warn('vigia: mosaico interrompido', error)
    }
    if (open !== mine) return
    open = null
    failures = performance.now() - openedAt >= STABLE_MS ? 0 : failures + 1
    schedule(backoffMs(Math.max(0, failures - 1), backoff))
  }

  return {
    show(ids, grande) {
      wanted = { ids: ids.slice(0, MAX_TILES), grande }
      for (const cameraId of [...kept.keys()]) if (!wanted.ids.includes(cameraId)) forget(cameraId)
      if (pathOf(wanted) !== (open?.path ?? null)) schedule(gatherMs)
      updateMoving()
    },
    moving: () => moving,
    subscribeMoving(listener) {
      movingListeners.add(listener)
      return () => movingListeners.delete(listener)
    },
    still: (cameraId) => kept.get(cameraId)?.still ?? null,
    subscribe(cameraId, listener) {
      const own = listeners.get(cameraId) ?? new Set()
      listeners.set(cameraId, own.add(listener))
      return () => {
        own.delete(listener)
        if (own.size === 0 && listeners.get(cameraId) === own) listeners.delete(cameraId)
      }
    },
    stop() {
      clearTimeout(timer)
      open?.abort.abort()
      open = null
      wanted = { ids: [], grande: null }
      for (const cameraId of [...kept.keys()]) forget(cameraId)
    },
  }
}
