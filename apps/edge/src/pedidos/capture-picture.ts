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
  return async ({ camera_id, lado_maximo: maxSide = null }, { signal, prazoMs }) => {
    if (!isKnown(camera_id)) return { ok: false, falha: 'camera_desconhecida' }
    const waitMs = Math.min(NEXT_FRAME_MS, prazoMs / 2)
    const next = await picture(camera_id, { waitMs, maxSide }, signal)
    // Only whole ones are kept: where no frame comes, the one of a moment ago is larger than was asked for, and better than none.
    const last = () => picture(camera_id, { waitMs: 0, maxSide: null }, signal)
    const taken = next ?? (maxSide === null ? null : await last())
    if (!taken) return { ok: false, falha: 'sem_quadro' }
    return { ok: true, resultado: { largura: taken.width, altura: taken.height }, corpo: taken.jpeg }
  }
}
