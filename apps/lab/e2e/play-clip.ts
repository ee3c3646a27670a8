import type { Camera } from '@vigia/contracts/cameras'
import type { Evento } from '@vigia/contracts/eventos'
import { startInstallation } from '@vigia/testing/installation'
import { startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'

/**
 * Started by path: plays the simulator's campus clip to one camera of a real installation. Only the IA of the first
 * argument runs, with the thresholds of the second argument (JSON). Prints the first event of the API as JSON.
 */
const [ia = '', limits = '{}'] = process.argv.slice(2)

const [recorder, installation] = await Promise.all([startRecorder(), startInstallation()])
try {
  const api = await installation.signIn()
  const empresa = await api.call<{ id: number }>('POST', '/empresas', { nome: 'Exemplo' })
  const camera = await api.call<Camera>('POST', '/cameras', {
    nome: 'Pátio',
    empresa_id: empresa.id,
    rtsp_url: recorder.url(1),
    sub_rtsp_url: recorder.url(1, 'sub'),
    eventos_habilitados: [ia],
  })
  await api.call('PATCH', `/cameras/${camera.id}`, { config_ia: { [ia]: JSON.parse(limits) } })
  const evento = await waitFor(
    `an event of ${ia}`,
    async () => {
      const [first] = await api.get<Evento[]>(`/events?camera_id=${camera.id}`)
      return first?.veredito ? first : false
    },
    { timeoutMs: 120_000 },
  )
  process.stdout.write(`${JSON.stringify(evento)}\n`)
} finally {
  await installation.close()
  await recorder.close()
}
process.exit(0)
