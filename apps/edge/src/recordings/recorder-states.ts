import type { CameraTask } from '@vigia/analysis/model'
import type { Causa } from '@vigia/contracts/causa'
import { hostOf } from '../capture/connection-slots.ts'
import type { ConfiguredCamera } from '../link/desired.ts'
import type { Supervisor } from '../supervisor/supervisor.ts'

/** States of the cameras, for the fetches of recordings. */
export function createRecorderStates({
  cameras,
  status,
}: {
  cameras(): readonly ConfiguredCamera[]
  readonly status: Supervisor['status']
}) {
  const tasks = () => cameras().flatMap(({ task }) => task ?? [])
  const isOnline = (cameraId: number): boolean => status(cameraId)?.stream.online === true
  const isRefused = (cameraId: number): boolean =>
    !isOnline(cameraId) && status(cameraId)?.stream.failure === 'equipamento_ocupado'
  return {
    task: (cameraId: number): CameraTask | null => tasks().find(({ id }) => id === cameraId) ?? null,
    isOnline,
    busyCause(host: string): Causa | undefined {
      const refused = tasks().find(({ id, fontes }) => hostOf(fontes.rtsp_url) === host && isRefused(id))
      return refused && { motivo: 'equipamento_ocupado', complemento: status(refused.id)?.stream.detail ?? null }
    },
    isCrowded: (host: string): boolean =>
      tasks().some(({ id, fontes }) => hostOf(fontes.rtsp_url) === host && isRefused(id)),
  }
}
