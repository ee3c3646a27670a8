import type { Supervisor } from '../supervisor/supervisor.ts'
import type { Handlers } from './handle-command.ts'

/** A camera that works shows a frame several times a second; one that begins waits for a keyframe. */
const NEXT_FRAME_MS = 5_000

/** What a camera shows now, out of the stream that is read anyway. */
export function createPictureHandler({
  isKnown,
  picture,
}: {
  isKnown(cameraId: number): boolean
  readonly picture: Supervisor['picture']
}): Handlers['capturar_quadro'] {
  return async ({ camera_id }, { signal, prazoMs }) => {
    if (!isKnown(camera_id)) return { ok: false, falha: 'camera_desconhecida' }
    const wish = { waitMs: Math.min(NEXT_FRAME_MS, prazoMs / 2), maxSide: null }
    const taken = await picture(camera_id, wish, signal)
    if (!taken) return { ok: false, falha: 'sem_quadro' }
    return { ok: true, resultado: { largura: taken.width, altura: taken.height }, corpo: taken.jpeg }
  }
}
