import type { Me } from '@vigia/contracts/sessoes'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { tokenHash } from '../../../adapters/bearer-token.ts'
import { type Client, clientOf, send } from '../../../test/clients/client.ts'
import { openSse } from '../../../test/clients/sse.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { SENHA, startTestApp } from '../../../test/clouds/test-app.ts'

const MIN = 60_000
const PATH = '/api/v1/auth/renovar'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const account = fixture(() => app.account('Padaria'))

const enter = () => app.signIn(`usuario-${account.empresaId}`, SENHA)
const alive = async (client: Client) => (await client.send('GET', '/api/v1/me')).status === 200
interface Renewed {
  readonly access_token: string
  readonly expires_in: number
}
const renew = async (client: Client) =>
  clientOf(app.url, (await client.expect<Renewed>(200, 'POST', PATH)).access_token)

describe('renewal of a session', () => {
  it('gives a token of one hour and a cookie; the former token lives for 60 s', async () => {
    const first = await enter()
    app.clock.advance(50 * MIN)
    const answer = await first.send<Renewed>('POST', PATH)
    const { access_token: token } = answer.body
    expect([answer.status, answer.body]).toEqual([
      200,
      { access_token: expect.stringMatching(/^[\w-]{43}$/), token_type: 'bearer', expires_in: 3600 },
    ])
    expect(token).not.toBe(first.token)
    expect(answer.headers.getSetCookie()).toEqual([`session=${token}; Max-Age=3600; Path=/; HttpOnly; SameSite=Lax`])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const second = clientOf(app.url, token)
    app.clock.advance(59_000)
    expect([await alive(first), await alive(second)]).toEqual([true, true])
    app.clock.advance(2_000)
    expect([await alive(first), await alive(second)]).toEqual([false, true])
    app.clock.advance(58 * MIN)
    expect(await alive(second)).toBe(true)
    app.clock.advance(2 * MIN)
    expect(await alive(second)).toBe(false)
  })

  it('does not lengthen a token that ends within the 60 s', async () => {
    const first = await enter()
    app.clock.advance(60 * MIN - 10_000)
    const second = await renew(first)
    app.clock.advance(11_000)
    expect([await alive(first), await alive(second)]).toEqual([false, true])
  })

  it('takes the cookie, from the same origin only', async () => {
    const { token } = await enter()
    const post = (site: string) =>
      send<Renewed>(`${app.url}${PATH}`, {
        method: 'POST',
        headers: { cookie: `session=${token}`, 'sec-fetch-site': site },
      })
    expect((await post('cross-site')).status).toBe(403)
    const answer = await post('same-origin')
    expect([answer.status, await alive(clientOf(app.url, answer.body.access_token))]).toEqual([200, true])
  })

  it('is refused without a living token and for an API key', async () => {
    const first = await enter()
    await first.send('GET', '/logout')
    expect((await first.send('POST', PATH)).status).toBe(401)
    expect((await send(`${app.url}${PATH}`, { method: 'POST' })).status).toBe(401)
    const body = { nome: 'ERP', escopo: 'escrita' }
    const admin = await app.signIn(`administrador-${account.empresaId}`)
    const { chave } = await admin.expect<{ chave: string }>(201, 'POST', '/api/v1/chaves', body)
    expect((await clientOf(app.url, chave).send('POST', PATH)).status).toBe(403)
  })

  it('ends 12 hours after the sign-in, with the last token', async () => {
    const begun = app.clock.now()
    let client = await enter()
    const { sessao } = await client.expect<Me>(200, 'GET', '/api/v1/me')
    const limit = Date.parse(sessao?.renova_ate ?? '')
    expect(Math.abs(limit - begun - 12 * 60 * MIN)).toBeLessThan(MIN)
    for (let i = 0; i < 13; i += 1) {
      app.clock.advance(55 * MIN)
      client = await renew(client)
    }
    const { sessao: last } = await client.expect<Me>(200, 'GET', '/api/v1/me')
    expect([last?.renova_ate, last?.expira_em]).toEqual([sessao?.renova_ate, sessao?.renova_ate])
    expect((await client.expect<Renewed>(200, 'POST', PATH)).expires_in).toBeLessThan(5 * MIN)
    app.clock.advance(limit - app.clock.now())
    expect((await client.send('POST', PATH)).status).toBe(401)
  })

  it('of one session is limited', async () => {
    let client = await enter()
    for (let i = 0; i < 60; i += 1) client = await renew(client)
    const refused = await client.send('POST', PATH)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(await alive(await renew(await enter()))).toBe(true)
  })
})

describe('the whole session ends at once', () => {
  /** A session with a former token in its last 60 s and a new one. */
  async function chain() {
    const former = await enter()
    return [former, await renew(former)] as const
  }

  it.each([0, 1])('with logout by token %i', async (which) => {
    const tokens = await chain()
    const other = await enter()
    await tokens[which]?.send('GET', '/api/v1/auth/logout')
    expect(await Promise.all([...tokens, other].map(alive))).toEqual([false, false, true])
  })

  it.each([{ senha: SENHA }, { papel: 'administrador' }, { ativo: false }])('with %j', async (patch) => {
    const { id } = await (await enter()).expect<Me>(200, 'GET', '/api/v1/me')
    const admin = await app.signIn(`administrador-${account.empresaId}`)
    const tokens = await chain()
    await admin.expect(200, 'PATCH', `/api/v1/usuarios/${id}`, patch)
    expect(await Promise.all(tokens.map(alive))).toEqual([false, false])
    await admin.expect(200, 'PATCH', `/api/v1/usuarios/${id}`, { papel: 'usuario', ativo: true })
  })
})

describe('at the same time', () => {
  it('renewals of one token all give a valid one', async () => {
    const client = await enter()
    const renewed = await Promise.all(Array.from({ length: 8 }, () => renew(client)))
    expect(new Set(renewed.map(({ token }) => token)).size).toBe(8)
    expect(await Promise.all(renewed.map(alive))).toEqual(renewed.map(() => true))
  })

  it('a renewal never outlives a logout', async () => {
    for (let i = 0; i < 10; i += 1) {
      const client = await enter()
      const asked = await Promise.all([
        client.send<Renewed>('POST', PATH),
        client.send<null>('GET', '/api/v1/auth/logout'),
        client.send<Renewed>('POST', PATH),
      ])
      expect(asked[1].status).toBe(303)
      for (const { status, body } of [asked[0], asked[2]]) {
        expect(status).toBeOneOf([200, 401])
        if (status === 200) expect(await alive(clientOf(app.url, body.access_token))).toBe(false)
      }
    }
  })

  it('a token cannot be stored for a session that has ended', async () => {
    const client = await enter()
    const row = await backstage.db
      .selectFrom('tokens_sessao')
      .select('sessao_id')
      .where('token_hash', '=', tokenHash(client.token) ?? '')
      .executeTakeFirstOrThrow()
    await client.send('GET', '/logout')
    const late = backstage.db.insertInto('tokens_sessao').values({ ...row, token_hash: 'x', expira_em: 9 })
    await expect(late.execute()).rejects.toThrow(/foreign key/i)
  })
})

describe('an open alert stream', () => {
  const open = (token: string) => openSse(`${app.url}/api/v1/sse/alertas`, { authorization: `Bearer ${token}` })

  it('lives on after a renewal of its session, and ends with the session', async () => {
    const first = await enter()
    const stream = await open(first.token)
    const second = await renew(first)
    app.clock.advance(2 * MIN)
    expect(await alive(first)).toBe(false)
    const camera = await backstage.camera(account.empresaId)
    const id = await backstage.event(camera)
    await backstage.verdict(id, 'confirmado')
    expect(await stream.until('alerta', 1)).toMatchObject([{ id: String(id) }])
    await second.send('GET', '/logout')
    await stream.ended
  })

  it('ends without a renewal when its token does', async () => {
    const stream = await open((await enter()).token)
    app.clock.advance(61 * MIN)
    await stream.ended
  })
})
