import { subscribeToAll } from '@vigia/link/testing/mqtt-subscriber'
import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { mosquittoProgram, startCustomerBroker } from '@vigia/testing/mosquitto'
import type { Program } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMqttSender } from '../../../adapters/senders/mqtt-sender.ts'
import { type Account, ADMIN, startTestApp, type TestApp } from '../../../test/clouds/test-app.ts'
import { sampleAttachments } from '../../../test/records/attachments.ts'
import { mensagem, mensagemQueda } from '../../../test/records/sample-message.ts'

const credenciais = { usuario: 'vigia', senha: 's3nh@-do-broker' }

describe.skipIf(mosquittoProgram === null)('what stays at the broker of a customer (needs mosquitto)', () => {
  let app: TestApp
  let broker: Program
  let account: Account
  let port = 0
  beforeAll(async () => {
    app = await startTestApp({ VIGIA_WEBHOOK_PERMITIR: '127.0.0.0/8' })
    account = await app.account('Loja')
    broker = await startCustomerBroker(credenciais)
    port = broker.porta ?? 0
  })
  afterAll(async () => {
    await broker?.stop()
    await app?.stop()
  })

  const urlOf = (prefix: string) => `mqtt://127.0.0.1:${port}/${prefix}`
  const canal = async (prefix: string, camera_id: number | null = null, { empresaId, admin } = account) => {
    const body = { tipo: 'mqtt', empresa_id: empresaId, destino: urlOf(prefix), credenciais, camera_id }
    return (await admin.expect<{ id: number }>(201, 'POST', '/api/v1/notificacoes', body)).id
  }
  const camera = async ({ admin } = account) => {
    const body = { nome: 'Portão', rtsp_url: 'rtsp://127.0.0.1:1/1' }
    return (await admin.expect<{ id: number }>(201, 'POST', '/api/v1/cameras', body)).id
  }

  /** Publishes an evento and a queda of the camera, as the canal does. */
  async function publish(prefix: string, id: number): Promise<void> {
    const sender = createMqttSender({ allowed: parseAllowedCidrs('127.0.0.0/8'), attachments: sampleAttachments() })
    const destino = { endereco: urlOf(prefix), segredo: JSON.stringify(credenciais), redes: [] }
    if (!('evento' in mensagem) || !('camera' in mensagemQueda)) throw new Error('samples')
    const about = { ...mensagem, evento: { ...mensagem.evento, camera_id: id } } as typeof mensagem
    const queda = { ...mensagemQueda, camera: { ...mensagemQueda.camera, id } } as typeof mensagemQueda
    for (const each of [about, queda])
      expect(await sender.send(destino, each, new AbortController().signal)).toEqual({ ok: true })
  }

  /** Retained topics of a prefix, by camera. */
  async function held(prefix: string): Promise<number[]> {
    const subscriber = await subscribeToAll(port, credenciais)
    // Retained messages arrive before the answer to this one, which is published last.
    await publish('marca', 999_999)
    await waitFor('the mark', () => subscriber.received.some(({ topic }) => topic === 'marca/cameras/999999/conexao'))
    await subscriber.close()
    const pattern = new RegExp(`^(?:${prefix}/cameras/|homeassistant/[a-z_]+/vigia_${prefix}_)(\\d+)[/_]`)
    const ids = subscriber.received.flatMap(({ topic, retain }) => (retain && pattern.exec(topic)?.[1]) || [])
    return [...new Set(ids.map(Number))].sort((a, b) => a - b)
  }
  const becomes = (prefix: string, cameras: readonly number[]) =>
    waitFor(
      `retained messages of ${cameras.length} cameras`,
      async () => JSON.stringify(await held(prefix)) === JSON.stringify(cameras),
      { timeoutMs: 10_000, everyMs: 200 },
    )

  it('ends with its camera, and stays for the others', async () => {
    const [one, two] = [await camera(), await camera()]
    await canal('casa')
    for (const id of [one, two]) await publish('casa', id)
    expect(await held('casa')).toEqual([one, two])
    await account.admin.expect(204, 'DELETE', `/api/v1/cameras/${one}`)
    await becomes('casa', [two])
  })

  it('ends with its canal, except where another canal keeps it up', async () => {
    const [one, two] = [await camera(), await camera()]
    const all = await canal('loja')
    const narrow = await canal('loja', one)
    for (const id of [one, two]) await publish('loja', id)
    await account.admin.expect(204, 'DELETE', `/api/v1/notificacoes/${all}`)
    await becomes('loja', [one])
    await account.admin.expect(204, 'DELETE', `/api/v1/notificacoes/${narrow}`)
    await becomes('loja', [])
  })

  it('moves with the destination of its canal', async () => {
    const id = await camera()
    const moved = await canal('antes')
    await publish('antes', id)
    const change = { destino: urlOf('depois'), credenciais }
    await account.admin.expect(200, 'PATCH', `/api/v1/notificacoes/${moved}`, change)
    await becomes('antes', [])
  })

  it('ends with its Empresa', async () => {
    const other = await app.account('Filial')
    const id = await camera(other)
    await canal('filial', null, other)
    await publish('filial', id)
    const proof = { senha: ADMIN.password }
    await app.operator.expect(202, 'DELETE', `/api/v1/empresas/${other.empresaId}`, proof)
    await becomes('filial', [])
  })
})
