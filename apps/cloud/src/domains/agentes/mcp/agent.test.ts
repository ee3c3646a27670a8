import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { postMcp } from '../../../test/clients/agent-client.ts'
import { authorizeAgent, getAt, newAgent } from '../../../test/clients/oauth-flow.ts'
import { ADMIN, startTestApp } from '../../../test/clouds/test-app.ts'
import { tools } from './tools/catalogue.ts'

const app = fixture(startTestApp)
const account = fixture(() => app.account('Mercado'))

const post = (token: string, method: string, params: object = {}) =>
  postMcp(app, token, { jsonrpc: '2.0', id: 1, method, params })

/** Names of the listed tools; null: the token is rejected. */
async function listed(token: string): Promise<string[] | null> {
  const answer = await post(token, 'tools/list')
  const data = (await answer.text()).split('\n').find((line) => line.startsWith('data: '))
  if (answer.status === 401) return null
  return JSON.parse(data?.slice(6) ?? '').result.tools.map(({ name }: { name: string }) => name)
}

describe('tokens', () => {
  it('of the authorization server are accepted only by /mcp', async () => {
    const token = await authorizeAgent(app, ADMIN.username)
    // Nobody ticked an effect for this agent.
    const withoutEffect = tools.filter(({ efeito }) => efeito === undefined)
    expect(await listed(token)).toEqual(withoutEffect.map(({ nome }) => nome))
    const rest = await fetch(`${app.url}/api/v1/cameras`, { headers: { authorization: `Bearer ${token}` } })
    expect(rest.status).toBe(401)
  })

  it('of the dashboard are rejected by /mcp', async () => {
    expect(await listed(account.admin.token)).toBe(null)
    const headers = { cookie: `session=${account.admin.token}` }
    expect((await fetch(`${app.url}/mcp`, { method: 'POST', headers })).status).toBe(401)
  })
})

it('rejects pages of other origins under a public address and under any other host name', async () => {
  const behind = await startTestApp({ VIGIA_URL_PUBLICA: 'https://vigia.exemplo.br' })
  try {
    const token = (await newAgent(behind)).access_token
    const asked = (headers: Readonly<Record<string, string>>) =>
      getAt(behind, headers.host ?? new URL(behind.url).host, '/mcp', { authorization: `Bearer ${token}`, ...headers })
    // A GET with a valid token is answered with 405.
    expect((await asked({})).status).toBe(405)
    expect((await asked({ origin: 'https://vigia.exemplo.br' })).status).toBe(405)
    for (const headers of [
      { origin: behind.url },
      { origin: 'http://vigia.exemplo.br' },
      { origin: 'https://vigia.exemplo.br.mal.exemplo' },
      { origin: 'https://vigia.exemplo.br:8443' },
      { origin: 'null' },
      { origin: 'http://mal.exemplo', host: 'mal.exemplo' },
      { origin: 'https://mal.exemplo', 'x-forwarded-host': 'mal.exemplo', 'x-forwarded-proto': 'https' },
    ])
      expect([headers, (await asked(headers)).status]).toEqual([headers, 403])
  } finally {
    await behind.stop()
  }
})

describe('the rights of an agent', () => {
  const changing = 'criar_camera'
  const call = { name: changing, arguments: {} }

  it('follow the role of its login at once, in both directions', async () => {
    const { id } = await app.operator.expect<{ id: number }>(201, 'POST', '/api/v1/usuarios', {
      username: 'muda-de-papel',
      senha: 'senha-de-teste',
      papel: 'administrador',
      empresa_id: account.empresaId,
    })
    const token = await authorizeAgent(app, 'muda-de-papel')
    expect(await listed(token)).toContain(changing)
    await app.operator.expect(200, 'PATCH', `/api/v1/usuarios/${id}`, { papel: 'usuario' })
    expect(await listed(token)).not.toContain(changing)
    expect(await (await post(token, 'tools/call', call)).text()).toContain('not found')
    await app.operator.expect(200, 'PATCH', `/api/v1/usuarios/${id}`, { papel: 'administrador' })
    expect(await listed(token)).toContain(changing)
    await app.operator.expect(200, 'PATCH', `/api/v1/usuarios/${id}`, { ativo: false })
    expect(await listed(token)).toBe(null)
  })

  it('are limited to reading if the person allowed only that', async () => {
    const leitura = { scope: 'mcp:leitura' } as const
    const [administrador, usuario] = await Promise.all(
      ['administrador', 'usuario'].map((papel) => authorizeAgent(app, `${papel}-${account.empresaId}`, leitura)),
    )
    expect(await listed(administrador ?? '')).toEqual(await listed(usuario ?? ''))
    const refused = await post(administrador ?? '', 'tools/call', call)
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringMatching(/^Bearer error="insufficient_scope", .*scope="mcp"$/),
    ])
    expect((await post(usuario ?? '', 'tools/call', call)).status).toBe(200)
  })
})
