import { randomUUID } from 'node:crypto'
import { ia, nomesIas } from '@vigia/contracts/ias'
import { clientOf } from '../../../src/test/clients/client.ts'
import { type Attack, repeat } from '../attack.ts'

const RICH = {
  zonas: Array.from({ length: 16 }, (_, index) =>
    Array.from({ length: 32 }, (_, point) => {
      const angle = (point / 32) * 2 * Math.PI
      return [0.5 + 0.4 * Math.cos(angle + index / 100), 0.5 + 0.4 * Math.sin(angle + index / 100)]
    }).flat(),
  ),
  eventos_habilitados: nomesIas.filter((nome) => ia(nome).modelo === 'objetos'),
}

export const richCameras: Attack = {
  name: 'cameras with the largest configuration',
  start: async ({ url, token, cameraIds }) =>
    repeat(2, async () => {
      const admin = clientOf(url, token)
      const made = await admin.send<{ id?: number }>('POST', '/api/v1/cameras', {
        nome: randomUUID(),
        rtsp_url: 'rtsp://127.0.0.1:9/1',
      })
      await admin.send('PATCH', `/api/v1/cameras/${made.body.id ?? cameraIds[3]}`, RICH)
    }),
}
