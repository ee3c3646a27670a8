import type { WatchedCameras } from '../watched-cameras.ts'
import type { Handlers } from './handle-command.ts'

/** Arms a camera for a walk test, or ends it. */
export const createProvaHandler =
  ({ isKnown, tested }: Pick<WatchedCameras, 'isKnown' | 'tested'>): Handlers['armar_prova'] =>
  async ({ camera_id, validade_ms }) => {
    if (!isKnown(camera_id)) return { ok: false, falha: 'camera_desconhecida' }
    tested.set(camera_id, validade_ms)
    return { ok: true, resultado: {} }
  }
