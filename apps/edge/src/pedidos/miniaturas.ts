import { setTimeout as delay } from 'node:timers/promises'
import type { EdgeLink } from '@vigia/link/edge-link'
import type { Supervisor } from '../supervisor/supervisor.ts'
import type { Handlers } from './handle-command.ts'

export interface Miniaturas {
  readonly handlers: Pick<Handlers, 'enviar_miniaturas'>
  stop(): void
}

export interface MiniaturasDeps {
  isKnown(cameraId: number): boolean
  readonly picture: Supervisor['picture']
  /** Returns false if the line did not accept the picture. */
  readonly publish: EdgeLink['publishLiveFrame']
  /** Number of events that wait in the outbox. */
  waiting(): number
  /** Longest interval between two pictures of a camera. */
  readonly slowestMs?: number
}

interface Session {
  maxSide: number
  readonly ended: AbortController
}

/** Number of waiting events from which the outbox counts as growing: the uplink then belongs to them. */
const BACKLOG = 10
const NEXT_FRAME_MS = 5_000
/** Longest wait of a picture for the line. An older picture is dropped: it would show the past. */
const HOLD_MS = 1_000
const RETRY_MS = 40

/**
 * Sends the pictures of a mosaic, one at a time over all cameras, each taken when its turn is near. The line accepts a
 * picture only while nothing else is unsent, so that at most one delays an event. A picture that finds no free line is
 * dropped, and the interval of all cameras grows up to `slowestMs`; free lines shorten it again.
 */
export function createMiniaturas({
  isKnown,
  picture,
  publish,
  waiting,
  slowestMs = 10_000,
}: MiniaturasDeps): Miniaturas {
  const sessions = new Map<number, Session>()
  let lease: NodeJS.Timeout | undefined
  let everyMs = 1_000
  let slowness = 1
  /** Ends when the line is free for the next picture. */
  let turn: Promise<void> = Promise.resolve()

  const intervalMs = () => (waiting() >= BACKLOG ? slowestMs : Math.min(slowestMs, everyMs * slowness))

  function end(cameraId: number) {
    sessions.get(cameraId)?.ended.abort()
    sessions.delete(cameraId)
  }
  function endAll() {
    clearTimeout(lease)
    for (const cameraId of [...sessions.keys()]) end(cameraId)
  }

  async function offer(header: Parameters<typeof publish>[0], jpeg: Buffer, takenAt: number, signal: AbortSignal) {
    const before = turn
    const { promise, resolve } = Promise.withResolvers<void>()
    turn = promise
    await before
    try {
      while (!signal.aborted && performance.now() - takenAt < HOLD_MS) {
        if (publish(header, jpeg)) {
          slowness = Math.max(1, slowness * 0.95)
          return
        }
        await delay(RETRY_MS)
      }
      if (!signal.aborted) slowness = Math.min(slowestMs / everyMs, slowness * 1.2)
    } finally {
      resolve()
    }
  }

  async function send(cameraId: number, session: Session): Promise<void> {
    const { signal } = session.ended
    // The cameras start at different times, so that their pictures do not wait for each other.
    await delay(Math.random() * everyMs, undefined, { signal }).catch(() => {})
    while (!signal.aborted) {
      if (!isKnown(cameraId)) return end(cameraId)
      const taken = await picture(cameraId, { waitMs: NEXT_FRAME_MS, maxSide: session.maxSide }, signal)
      if (signal.aborted) return
      if (taken) {
        const size = { largura: taken.width, altura: taken.height }
        const movimento = taken.moving === undefined ? {} : { movimento: taken.moving }
        const header = { v: 1, camera_id: cameraId, ...size, miniatura: true, ...movimento } as const
        await offer(header, taken.jpeg, performance.now(), signal)
      }
      // The interval counts from the end of the wait for the line, so that two pictures never follow each other faster.
      // Rejects only when the session ends; the loop then stops.
      await delay(intervalMs(), undefined, { signal }).catch(() => {})
    }
  }

  return {
    handlers: {
      async enviar_miniaturas({ cameras, cada_ms, validade_ms }, { signal }) {
        if (signal.aborted) return { ok: false, falha: 'cancelado' }
        clearTimeout(lease)
        lease = setTimeout(endAll, validade_ms)
        everyMs = cada_ms
        const wanted = new Map(cameras.map(({ camera_id, lado_maximo }) => [camera_id, lado_maximo]))
        for (const cameraId of [...sessions.keys()]) if (!wanted.has(cameraId)) end(cameraId)
        for (const [cameraId, maxSide] of wanted) {
          const before = sessions.get(cameraId)
          if (before) before.maxSide = maxSide
          else if (isKnown(cameraId)) {
            const session = { maxSide, ended: new AbortController() }
            sessions.set(cameraId, session)
            void send(cameraId, session)
          }
        }
        return { ok: true, resultado: {} }
      },
    },
    stop: endAll,
  }
}
