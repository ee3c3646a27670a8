import { setTimeout as delay } from 'node:timers/promises'
import { MAX_CAIXAS_AO_VIVO } from '@vigia/contracts/pedidos'
import type { EdgeLink } from '@vigia/link/edge-link'
import type { Supervisor } from '../supervisor/supervisor.ts'
import type { Handlers } from './handle-command.ts'

export interface LiveSessions {
  readonly handlers: Pick<Handlers, 'iniciar_ao_vivo' | 'parar_ao_vivo'>
  stop(): void
}

export interface LiveDeps {
  isKnown(cameraId: number): boolean
  readonly picture: Supervisor['picture']
  /** Returns false if the line did not accept the frame. */
  readonly publish: EdgeLink['publishLiveFrame']
  /** Largest number of simultaneous cameras: the uplink of a site is narrow, and events have priority. */
  readonly maxCameras?: number
  /** Longest pause between frames on a slow line. */
  readonly slowestMs?: number
}

interface Session {
  everyMs: number
  maxSide: number
  lease: NodeJS.Timeout
  readonly ended: AbortController
}

/** Time limit for one frame; then the session is checked again. */
const NEXT_FRAME_MS = 5_000

/**
 * Sends live frames, one session per camera, from the stream that is already open. It sends one frame at a time, each
 * taken after the previous one was sent. If the line is busy, a frame is dropped and the pause before the next one
 * doubles, so that live frames never delay an event.
 */
export function createLive({ isKnown, picture, publish, maxCameras = 4, slowestMs = 8_000 }: LiveDeps): LiveSessions {
  const sessions = new Map<number, Session>()

  function end(cameraId: number) {
    const session = sessions.get(cameraId)
    sessions.delete(cameraId)
    clearTimeout(session?.lease)
    session?.ended.abort()
  }

  async function send(cameraId: number, session: Session): Promise<void> {
    const { signal } = session.ended
    let slowness = 1
    while (!signal.aborted) {
      if (!isKnown(cameraId)) return end(cameraId)
      const begun = performance.now()
      const taken = await picture(cameraId, { waitMs: NEXT_FRAME_MS, maxSide: session.maxSide }, signal)
      if (signal.aborted) return
      if (taken) {
        const caixas = taken.seen?.slice(0, MAX_CAIXAS_AO_VIVO)
        const size = { largura: taken.width, altura: taken.height }
        const header = { v: 1 as const, camera_id: cameraId, ...size, ...(caixas && { caixas: [...caixas] }) }
        slowness = publish(header, taken.jpeg) ? Math.max(1, slowness / 2) : slowness * 2
        slowness = Math.min(slowness, Math.max(1, slowestMs / session.everyMs))
      }
      const pauseMs = session.everyMs * slowness - (performance.now() - begun)
      // Rejects only when the session ends; the loop then stops.
      await delay(Math.max(0, pauseMs), undefined, { signal }).catch(() => {})
    }
  }

  return {
    handlers: {
      async iniciar_ao_vivo({ camera_id, quadros_por_s, lado_maximo, validade_ms }, { signal }) {
        if (signal.aborted) return { ok: false, falha: 'cancelado' }
        if (!isKnown(camera_id)) return { ok: false, falha: 'camera_desconhecida' }
        const before = sessions.get(camera_id)
        if (!before && sessions.size >= maxCameras) return { ok: false, falha: 'ocupado' }
        clearTimeout(before?.lease)
        const lease = setTimeout(() => end(camera_id), validade_ms)
        const asked = { everyMs: 1000 / quadros_por_s, maxSide: lado_maximo, lease }
        if (before) Object.assign(before, asked)
        else {
          const session = { ...asked, ended: new AbortController() }
          sessions.set(camera_id, session)
          void send(camera_id, session)
        }
        return { ok: true, resultado: {} }
      },
      async parar_ao_vivo({ camera_id }) {
        end(camera_id)
        return { ok: true, resultado: {} }
      },
    },
    stop() {
      for (const cameraId of [...sessions.keys()]) end(cameraId)
    },
  }
}
