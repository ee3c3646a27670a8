import type { Supervisor } from '../supervisor/supervisor.ts'
import type { Handlers } from './handle-command.ts'

/** A working camera delivers several frames a second; a starting one waits for a keyframe. */
const NEXT_FRAME_MS = 5_000
/** A frame that was decoded this recently shows the present. */
const RECENT_MS = 1_000

/**
 * Answers with a current picture of a camera from the stream of its analysis. It opens no connection: the session of a
 * closed stream already reopens it, with the slots and the delays of its recorder.
 */
export function createPictureHandler({
  isKnown,
  picture,
}: {
  isKnown(cameraId: number): boolean
  readonly picture: Supervisor['picture']
}): Handlers['capturar_quadro'] {
  return async ({ camera_id, lado_maximo: maxSide = null }, { signal, prazoMs }) => {
    if (!isKnown(camera_id)) return { ok: false, falha: 'camera_desconhecida' }
    const waitMs = Math.min(NEXT_FRAME_MS, prazoMs / 2)
    const next = await picture(camera_id, { waitMs, maxSide, maxAgeMs: RECENT_MS }, signal)
    // Only full-size pictures are kept: without a new frame, the last one is larger than requested.
    const last = () => picture(camera_id, { waitMs: 0, maxSide: null }, signal)
    const taken = next ?? (maxSide === null ? null : await last())
    if (!taken) return { ok: false, falha: 'sem_quadro' }
    return { ok: true, resultado: { largura: taken.width, altura: taken.height }, corpo: taken.jpeg }
  }
}
