import type { Empresa } from '@vigia/contracts/empresas'
import type { CanalNotificacao } from '@vigia/contracts/notificacoes'
import { subscribeToAll } from '@vigia/link/testing/mqtt-subscriber'
import { mosquittoProgram, startCustomerBroker } from '@vigia/testing/mosquitto'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, startTestApp, type TestApp } from '../../../test/clouds/test-app.ts'
import { storedText } from '../../../test/stores/stored-store.ts'

let app: TestApp
let own: Account
beforeAll(async () => {
  app = await startTestApp({ VIGIA_WEBHOOK_PERMITIR: '127.0.0.0/8' })
  own = await app.account('Padaria')
})
afterAll(() => app.stop())

const path = '/api/v1/notificacoes'
const empresa = () => `/api/v1/empresas/${own.empresaId}`

describe('the networks of an Empresa', () => {
  const destino = 'http://192.168.7.9/vigia'

  it('are set by the operator alone, and open their addresses to the canais', async () => {
    const body = { empresa_id: own.empresaId, destino }
    await own.admin.expect(422, 'POST', path, body)
    await own.admin.expect(403, 'PATCH', empresa(), { redes_permitidas: ['192.168.7.0/24'] })
    const changed = await app.operator.expect<Empresa>(200, 'PATCH', empresa(), {
      redes_permitidas: ['192.168.7.0/24'],
    })
    expect(changed.redes_permitidas).toEqual(['192.168.7.0/24'])
    expect(await app.operator.expect(200, 'GET', '/api/v1/auditoria?objeto=empresa')).toContainEqual(
      expect.objectContaining({ acao: 'alterar', depois: { redes_permitidas: ['192.168.7.0/24'] } }),
    )
    await own.admin.expect(201, 'POST', path, body)
    await own.admin.expect(201, 'POST', path, { ...body, tipo: 'mqtt', destino: 'mqtt://192.168.7.9/vigia' })
    await own.admin.expect(422, 'POST', path, { ...body, destino: 'http://192.168.8.9/' })
  })

  it.each(['127.0.0.0/8', '169.254.169.254', '0.0.0.0/0', '8.8.8.8', 'casa'])('are never %s', async (rede) => {
    const before = await app.operator.expect(200, 'GET', empresa())
    const answer = await app.operator.expect(422, 'PATCH', empresa(), { redes_permitidas: ['10.0.0.0/8', rede] })
    expect(answer).toMatchObject({ detail: [{ loc: ['body', 'redes_permitidas', 1] }] })
    expect(await app.operator.expect(200, 'GET', empresa())).toEqual(before)
  })
})

describe.skipIf(mosquittoProgram === null)('the login of a broker (needs mosquitto)', () => {
  const credenciais = { usuario: 'casa', senha: 's3nh@-do-broker' }

  it('reaches only its broker, and is in no answer, log or file', async () => {
    const broker = await startCustomerBroker(credenciais)
    const port = broker.porta ?? 0
    const subscriber = await subscribeToAll(port, credenciais)
    try {
      const destino = `mqtt://127.0.0.1:${port}/vigia`
      const body = { empresa_id: own.empresaId, tipo: 'mqtt', destino, credenciais }
      const canal = await own.admin.expect<CanalNotificacao>(201, 'POST', path, body)
      expect(canal).toMatchObject({ com_credenciais: true, agrupar: false })
      expect(JSON.stringify(canal)).not.toMatch(/s3nh@|"credenciais"/)
      const one = `${path}/${canal.id}`
      expect(await own.admin.expect(200, 'POST', `${one}/teste`)).toEqual({ ok: true, erros: [], avisos: [] })
      await waitFor('the test', () => subscriber.received.some(({ topic }) => topic === 'vigia/mensagens/teste'))

      const elsewhere = { destino: 'mqtt://127.0.0.1:1/vigia' }
      const refused = await own.admin.expect(422, 'PATCH', one, elsewhere)
      expect(refused).toMatchObject({ detail: [{ loc: ['body', 'credenciais'] }] })
      await own.admin.expect(422, 'PATCH', one, { tipo: 'email', destino: 'a@exemplo.com.br', credenciais })
      await own.admin.expect(200, 'PATCH', one, { credenciais: null })
      expect(await own.admin.expect(200, 'POST', `${one}/teste`)).toMatchObject({
        ok: false,
        erros: [expect.stringContaining('pede usuário e senha')],
      })
      await own.admin.expect(200, 'PATCH', one, { ...elsewhere, credenciais })
      expect(await own.admin.expect(200, 'PATCH', one, { tipo: 'webhook', destino: '' })).toMatchObject({
        com_credenciais: false,
      })
    } finally {
      await subscriber.close()
      await broker.stop()
    }
    expect((await storedText(app.dataDir)) + app.logText()).not.toContain(credenciais.senha)
  })
})
