import { VigiaError } from '@vigia/contracts/errors'
import { MAX_MINIATURAS } from '@vigia/contracts/pedidos'
import type { LiveViewsDeps } from './live-views.ts'
import { createMosaicSeats, type MosaicCamera, type MosaicViewer, type Wanted } from './mosaic-seats.ts'

/** Small pictures of all cameras in open mosaics. Each edge sends a camera once for all viewers. */
export interface Miniaturas {
  watch(cameras: readonly MosaicCamera[]): MosaicViewer
  stop(): void
}

interface MiniaturasDeps extends LiveViewsDeps {
  /** Interval of the pictures of a camera at an edge that does not know the command. */
  readonly oldEdgeMs?: number
}

interface Session {
  /** Signals that the cameras of the viewers changed. */
  wake(): void
}

const EVERY_MS = 1_000
const PRAZO_MS = 8_000
const RETRY_MS = 5_000
/** Time in which changes are collected for one command: viewers scroll. */
const GATHER_MS = 250

export function createMiniaturas({
  link,
  replica,
  askEdge,
  log,
  leaseMs = 30_000,
  renewMs = 10_000,
  oldEdgeMs = 10_000,
}: MiniaturasDeps): Miniaturas {
  const stopping = new AbortController()
  const seats = createMosaicSeats(stopping.signal)
  const { arrived, wantedOf } = seats
  const sessions = new Map<number, Session>()

  link.onLiveFrame((edgeId, { camera_id: cameraId, miniatura, movimento = false }, jpeg) => {
    if (miniatura) arrived(edgeId, { cameraId, jpeg, movimento })
  })

  async function pause(edgeId: number, asked: Wanted, ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    let gather: NodeJS.Timeout | undefined
    const changed = () => {
      if (stopping.signal.aborted) resolve()
      else if (!same(wantedOf(edgeId), asked)) gather ??= setTimeout(resolve, GATHER_MS)
    }
    sessions.set(edgeId, { wake: changed })
    changed()
    await promise
    clearTimeout(timer)
    clearTimeout(gather)
  }

  /** An edge of an older release sends single pictures on request. */
  async function captureInTurn(edgeId: number, wanted: Wanted): Promise<void> {
    for (const [camera_id, lado_maximo] of wanted) {
      if (stopping.signal.aborted || !wantedOf(edgeId).has(camera_id)) continue
      const command = { acao: 'capturar_quadro', camera_id, lado_maximo } as const
      const answer = await askEdge(edgeId, command, { prazoMs: PRAZO_MS, signal: stopping.signal }).catch(unavailable)
      if (answer?.ok) arrived(edgeId, { cameraId: camera_id, jpeg: answer.corpo, movimento: false })
    }
  }

  /** One loop for each edge, so that it gets one command at a time. */
  async function serve(edgeId: number): Promise<void> {
    let isOld = false
    while (!stopping.signal.aborted) {
      const wanted = wantedOf(edgeId)
      const cameras = [...(await withOthers(replica, edgeId, wanted, leaseMs))]
        .slice(0, MAX_MINIATURAS)
        .map(([camera_id, lado_maximo]) => ({ camera_id, lado_maximo }))
      const begunAt = performance.now()
      if (isOld) await captureInTurn(edgeId, wanted)
      else {
        const command = { acao: 'enviar_miniaturas', cameras, cada_ms: EVERY_MS, validade_ms: leaseMs } as const
        const answer = await askEdge(edgeId, command, { prazoMs: PRAZO_MS, signal: stopping.signal }).catch(unavailable)
        isOld = answer?.ok === false && answer.falha === 'comando_desconhecido'
        if (isOld) continue
        if (!answer?.ok) log.debug({ edgeId, falha: answer?.falha }, 'mosaic command not done by the edge')
        if (wanted.size === 0 && wantedOf(edgeId).size === 0) return
        await pause(edgeId, wanted, answer?.ok ? renewMs : RETRY_MS)
        continue
      }
      if (wantedOf(edgeId).size === 0) return
      await pause(edgeId, wanted, Math.max(GATHER_MS, oldEdgeMs - (performance.now() - begunAt)))
    }
  }

  function open(edgeId: number): void {
    const known = sessions.get(edgeId)
    if (known) {
      known.wake()
      return
    }
    sessions.set(edgeId, { wake: () => {} })
    const unwatch = link.watch(edgeId)
    serve(edgeId)
      .catch((err: unknown) => log.error({ err, edgeId }, 'mosaic of an edge ended'))
      .finally(() => {
        unwatch()
        sessions.delete(edgeId)
        // A viewer may have come while the loop ended.
        if (!stopping.signal.aborted && wantedOf(edgeId).size > 0) open(edgeId)
      })
  }

  return {
    watch(cameras) {
      const viewer = seats.enter(cameras, (edgeIds) => {
        for (const edgeId of edgeIds) sessions.get(edgeId)?.wake()
      })
      for (const edgeId of new Set(cameras.map(({ edgeId }) => edgeId))) open(edgeId)
      return viewer
    },
    stop() {
      stopping.abort()
      for (const session of sessions.values()) session.wake()
      seats.wakeAll()
    },
  }
}

const same = (a: Wanted, b: Wanted): boolean => a.size === b.size && [...a].every(([id, lado]) => b.get(id) === lado)

/** Adds what the viewers of other replicas want: the edge follows the last command only. */
async function withOthers(
  replica: MiniaturasDeps['replica'],
  edgeId: number,
  wanted: Wanted,
  leaseMs: number,
): Promise<Wanted> {
  const own = wanted.size > 0 ? [...wanted] : null
  const others = (await replica.shareRequest(edgeId, 'miniaturas', own, leaseMs)) as (readonly [number, number])[][]
  const all = new Map(wanted)
  for (const [id, lado] of others.flat()) all.set(id, Math.max(lado, all.get(id) ?? 0))
  return all
}

function unavailable(error: unknown): null {
  if (error instanceof VigiaError) return null
  throw error
}
