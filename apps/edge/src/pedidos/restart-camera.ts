import type { Supervisor } from '../supervisor/supervisor.ts'
import type { Handlers } from './handle-command.ts'

/** The camera's stream is closed and opened at once; how that goes is seen in the reports. */
export const createRestartHandler =
  ({ restart }: Pick<Supervisor, 'restart'>): Handlers['reiniciar_camera'] =>
  async ({ camera_id }) =>
    restart(camera_id) ? { ok: true, resultado: {} } : { ok: false, falha: 'camera_desconhecida' }
