import { fixture } from '@vigia/testing/fixture'
import { beforeAll, expect, it } from 'vitest'
import { postMcp } from '../../../test/clients/agent-client.ts'
import { authorizeAgent } from '../../../test/clients/oauth-flow.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

let token: string
let usuario: string
let leitura: string
const app = fixture(startTestApp)
const account = fixture(() => app.account('Mercado'))

beforeAll(async () => {
  token = await authorizeAgent(app, `administrador-${account.empresaId}`)
  usuario = await authorizeAgent(app, `usuario-${account.empresaId}`)
  leitura = await authorizeAgent(app, `administrador-${account.empresaId}`, { scope: 'mcp:leitura' })
})

const post = (body: unknown, more: Readonly<Record<string, string>> = {}, bearer = token) =>
  postMcp(app, bearer, body, more)

interface Rpc {
  readonly id: unknown
  readonly error?: { readonly code: number; readonly message: string }
}
const messages = async (answer: Response): Promise<Rpc[]> =>
  (await answer.text())
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)))

const EDIT = 'criar_canal_notificacao'
const edit = () => ({ empresa_id: account.empresaId, tipo: 'email' })
const call = (name: string, args: object = {}, id: string | number = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})
const channels = async () => (await account.admin.expect<object[]>(200, 'GET', '/api/v1/notificacoes')).length

/** The same in the revision 2026-07-28, which repeats parts of the body in headers. */
const modern = (name: string, args: object) => {
  const { params, ...rest } = call(name, args)
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'teste', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return { ...rest, params: { ...params, _meta } }
}
const named = (method: string, name: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  'mcp-name': name,
})

it('rejects routing headers that differ from the body', async () => {
  const before = await channels()
  const attempts: readonly (readonly [body: unknown, headers: Record<string, string>])[] = [
    [modern(EDIT, edit()), named('tools/call', 'quem_sou')],
    [modern(EDIT, edit()), named('tools/list', EDIT)],
    [modern(EDIT, edit()), named('tools/call', '')],
    [[modern(EDIT, edit())], named('tools/call', EDIT)],
    [call(EDIT, edit()), named('tools/call', EDIT)],
    [[[call(EDIT, edit())]], {}],
  ]
  for (const [body, headers] of attempts) expect([headers, (await post(body, headers)).status]).toEqual([headers, 400])
  expect(await channels()).toBe(before)
  expect((await post(modern(EDIT, edit()), named('tools/call', EDIT))).status).toBe(200)
  expect(await channels()).toBe(before + 1)
})

it('executes either only the allowed calls of a batch or none', async () => {
  const before = await channels()
  const batch = [call('quem_sou', {}, 1), call(EDIT, edit(), 2), call('quem_sou', {}, 3)]
  const narrow = await post(batch, {}, leitura)
  expect([narrow.status, narrow.headers.get('www-authenticate')]).toEqual([
    403,
    expect.stringContaining('insufficient_scope'),
  ])
  const answers = await messages(await post(batch, {}, usuario))
  expect(answers.find(({ id }) => id === 2)?.error?.message).toBe(`Tool ${EDIT} not found`)
  expect(answers.filter(({ error }) => error === undefined).map(({ id }) => id)).toEqual(expect.arrayContaining([1, 3]))
  expect(await channels()).toBe(before)
})

it('finds no tool or prompt with the name of a built-in JavaScript property', async () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
    for (const body of [call(name), { ...call(name), method: 'prompts/get' }])
      expect([name, (await messages(await post(body)))[0]?.error?.code]).toEqual([name, -32_602])
})

it('ends both of two calls with one id', async () => {
  const answers = await messages(
    await post([call('quem_sou', {}, 1), call('quem_sou', {}, 1), call('quem_sou', {}, '1')]),
  )
  expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([1, '1']))
  // All slots are free again: the maximum number of concurrent calls succeeds.
  const calls = await Promise.all(Array.from({ length: 16 }, () => post(call('quem_sou'))))
  expect(calls.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200))
  for (const answer of calls) await answer.text()
})
