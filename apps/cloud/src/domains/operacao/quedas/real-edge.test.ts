import type { Queda } from '@vigia/contracts/eventos'
import { corpoWebhookSchema } from '@vigia/contracts/notificacoes'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { expect, it } from 'vitest'
import { openSse } from '../../../test/clients/sse.ts'
import { startAppWithEdge } from '../../../test/clouds/app-with-edge.ts'
import { startHttpReceiver } from '../../../test/stand-ins/http-receiver.ts'

const site = fixture(() => startAppWithEdge({ VIGIA_WEBHOOK_PERMITIR: '127.0.0.0/8' }))
const hook = fixture(startHttpReceiver)
const stream = fixture(() => {
  const { token } = site.own.admin
  return openSse(`${site.app.url}/api/v1/sse/alertas?todos=true`, { authorization: `Bearer ${token}` })
})

it('reports a killed edge in the list, on the stream and at the webhook', async () => {
  const { admin, empresaId } = site.own
  await admin.expect(201, 'POST', '/api/v1/notificacoes', { empresa_id: empresaId, destino: hook.url })
  await site.edge.kill()
  // The monotonic clock continues; time without checks counts little.
  site.app.clock.advance(60_000)
  const queda = await waitFor(
    'the outage',
    async () => {
      site.app.clock.advance(2_000)
      return (await admin.expect<Queda[]>(200, 'GET', `/api/v1/quedas?edge_id=${site.edgeId}`))[0]
    },
    { everyMs: 500 },
  )
  expect(queda).toMatchObject({ camera_id: null, nome: 'Caixa', fim: null, motivo: 'sem_contato' })
  const [frame] = await stream.until('queda', 1)
  expect(JSON.parse(frame?.data ?? '')).toEqual(queda)
  await waitFor('the webhook', () => hook.received.length === 1)
  const body = corpoWebhookSchema.parse(JSON.parse(hook.received[0]?.body ?? ''))
  expect(body).toMatchObject({ tipo: 'edge.offline', edge: { id: site.edgeId, nome: 'Caixa' }, queda })
})
