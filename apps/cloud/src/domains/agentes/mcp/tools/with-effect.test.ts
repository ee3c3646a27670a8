import type { Autorizacao } from '@vigia/contracts/autorizacoes'
import { type Efeito, efeitos, textoEfeito } from '@vigia/contracts/efeitos'
import { fixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import { type AgentClient, connectAgent } from '../../../../test/clients/agent-client.ts'
import { authorizePage, requestOf } from '../../../../test/clients/authorize-page.ts'
import { newClient } from '../../../../test/clients/oauth-flow.ts'
import { connectTicked } from '../../../../test/clients/ticked-agent.ts'
import { openBackstage } from '../../../../test/clouds/backstage.ts'
import { SENHA, startTestApp } from '../../../../test/clouds/test-app.ts'
import { makeRecords } from '../../../../test/walks/tool-examples.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const own = fixture(() => app.account('Mercado'))
const ids = fixture(() => makeRecords(backstage, own))

const login = () => ({ username: `administrador-${own.empresaId}`, password: SENHA })

/** A client that a person allowed on the page. */
const allowed = (ticked: readonly Efeito[], fields: Readonly<Record<string, string>> = {}) =>
  connectTicked(app, login().username, ticked, fields)
const listed = async ({ client }: AgentClient) => (await client.listTools()).tools.map(({ name }) => name)
const newest = async () => (await own.admin.expect<Autorizacao[]>(200, 'GET', '/api/v1/autorizacoes?limit=1'))[0]

const MASK = [0.1, 0.1, 0.5, 0.1, 0.5, 0.5]
/** A call that needs each effect. */
const calls = {
  destroys: ['alterar_retencao', () => ({ empresa_id: ids.empresa, tipo: 'imagens', dias: 1 })],
  reveals: ['alterar_mascaras', () => ({ camera_id: ids.camera, mascaras: [] })],
  grants: ['gerar_codigo_edge', () => ({ edge_id: ids.edge })],
} as const satisfies Record<Efeito, readonly [string, () => object]>

it('the consent page lists the effects in Portuguese, none ticked, and only to an administrador', async () => {
  const clientId = await newClient(app)
  const page = authorizePage(app)
  const shown = async (username: string) =>
    (await page.post({ ...requestOf(clientId), username, password: SENHA, etapa: 'consentimento' })).body
  const body = await shown(login().username)
  for (const efeito of efeitos) {
    expect(body).toContain(`type="checkbox" name="${efeito}" value="sim"`)
    expect(body).toContain(textoEfeito[efeito].titulo)
  }
  expect(body).not.toMatch(/type="checkbox"[^>]*checked/)
  expect(await shown(`usuario-${own.empresaId}`)).not.toContain('checkbox')
})

it.each(efeitos)(
  '%s: an agent without the tick reads which permission is missing; with it, the call works',
  async (efeito) => {
    await own.admin.expect(200, 'PUT', `/api/v1/cameras/${ids.camera}/mascaras`, { mascaras: [MASK] })
    const [nome, entrada] = calls[efeito]
    const others = efeitos.filter((one) => one !== efeito)
    for (const agent of [await connectAgent(app, login().username), await allowed([]), await allowed(others)]) {
      const answer = await agent.call(nome, entrada())
      expect(answer).toMatchObject({ recusado: true })
      expect(answer.texto).toContain(`“${textoEfeito[efeito].titulo}”`)
      expect(await listed(agent)).not.toContain(nome)
      await agent.close()
    }
    const agent = await allowed([efeito])
    expect((await newest())?.efeitos).toEqual([efeito])
    expect(await listed(agent)).toContain(nome)
    expect(await agent.call(nome, entrada())).toMatchObject({ recusado: false })
    await agent.close()
  },
)

it('a change without an effect needs no tick', async () => {
  const agent = await allowed([])
  expect((await newest())?.efeitos).toEqual([])
  await agent.expect('alterar_retencao', { empresa_id: ids.empresa, tipo: 'quedas', dias: 400 })
  await agent.expect('alterar_mascaras', { camera_id: ids.camera, mascaras: [MASK, [0.6, 0.6, 0.9, 0.6, 0.9, 0.9]] })
  await agent.close()
})

it('ticks count only with the right to change: "Só ver" has none', async () => {
  const agent = await allowed(efeitos, { acesso: 'mcp:leitura' })
  expect((await newest())?.efeitos).toEqual([])
  await agent.close()
})
