import { efeitos } from '@vigia/contracts/efeitos'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, expect, it } from 'vitest'
import { strictBody } from '../../../../http/strict-body.ts'
import { postMcp } from '../../../../test/clients/agent-client.ts'
import { authorizeAgent } from '../../../../test/clients/oauth-flow.ts'
import { tickedToken } from '../../../../test/clients/ticked-agent.ts'
import { ADMIN, SENHA, startTestApp } from '../../../../test/clouds/test-app.ts'
import { tools } from './catalogue.ts'

const app = fixture(startTestApp)
const own = fixture(() => app.account('Mercado'))

beforeAll(async () => {
  await own.admin.expect(201, 'POST', '/api/v1/usuarios', { username: 'rui', senha: SENHA, papel: 'vigilante' })
})

interface ListedTool {
  readonly name: string
}

/** The served list, in the order of its bytes. */
async function listedTools(token: string): Promise<ListedTool[]> {
  const answer = await postMcp(app, token, { jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const served = (await answer.text()).split('\n').find((line) => line.startsWith('data: ')) ?? ''
  return JSON.parse(served.slice(6)).result.tools
}

/** `-u` writes the stored list again. */
it('is the stored list, byte for byte, for each role and each right', async () => {
  const administrador = `administrador-${own.empresaId}`
  const lists = {
    operador: await listedTools(await authorizeAgent(app, ADMIN.username)),
    administrador: await listedTools(await authorizeAgent(app, administrador)),
    ...(await withEach(administrador)),
    vigilante: await listedTools(await authorizeAgent(app, 'rui')),
    usuario: await listedTools(await authorizeAgent(app, `usuario-${own.empresaId}`)),
    leitura: await listedTools(await authorizeAgent(app, administrador, { scope: 'mcp:leitura' })),
  }
  const all = await listedTools(await tickedToken(app, administrador, efeitos))
  const names = (list: readonly ListedTool[]) => list.map(({ name }) => name)
  for (const list of Object.values(lists))
    expect(JSON.stringify(list)).toBe(JSON.stringify(all.filter(({ name }) => names(list).includes(name))))
  const stored = { tools: all, seen: Object.fromEntries(Object.entries(lists).map(([of, list]) => [of, names(list)])) }
  await expect(`${JSON.stringify(stored, null, 2)}\n`).toMatchFileSnapshot('./tool-list.snap')
})

/** The lists of an administrador who ticked one effect. */
async function withEach(username: string): Promise<Record<string, ListedTool[]>> {
  const lists: Record<string, ListedTool[]> = {}
  for (const efeito of efeitos) lists[efeito] = await listedTools(await tickedToken(app, username, [efeito]))
  return lists
}

it.each(tools.flatMap(({ nome, rota }) => (rota ? [[nome, rota] as const] : [])))(
  '%s has the schemas that its route declares',
  (_, { operacao, json, resposta }) => {
    const route = app.routes.find((one) => one.operacao === operacao)
    expect(Object.values(route?.respostas ?? {})).toContain(resposta)
    expect(json && strictBody(json)).toBe(route?.json)
    expect(route?.path.match(/\{\w+\}/g)).toHaveLength(1)
  },
)
