import type { Supervisor } from '../supervisor/supervisor.ts'
import type { Handlers } from './handle-command.ts'

/** Closes the camera's stream and reopens it at once; later reports contain the result. */
export const createRestartHandler =
  ({ restart }: Pick<Supervisor, 'restart'>): Handlers['reiniciar_camera'] =>
  async ({ camera_id }) =>
    restart(camera_id) ? { ok: true, resultado: {} } : { ok: false, falha: 'camera_desconhecida' }
