import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { askToken, isTaken, newAgent, newClient, refreshFields } from '../../../test/clients/oauth-flow.ts'
import { ADMIN, startTestApp } from '../../../test/clouds/test-app.ts'

const DAY = 24 * 3_600_000

const app = fixture(startTestApp)

const renew = (clientId: string, refreshToken: string, more: Readonly<Record<string, string>> = {}) =>
  askToken(app, { ...refreshFields(clientId, refreshToken), ...more })

describe('a refresh token', () => {
  it('returns new tokens repeatedly; earlier access tokens stay valid for their hour', async () => {
    const agent = await newAgent(app)
    let last = agent.refresh_token
    for (let round = 0; round < 4; round += 1) {
      const { status, headers, body } = await renew(agent.clientId, last)
      expect([status, body.scope, headers.get('cache-control')]).toEqual([200, 'mcp', 'no-store'])
      expect(body.refresh_token).not.toBe(last)
      expect(await isTaken(app, body.access_token)).toBe(true)
      last = body.refresh_token
    }
    expect(await isTaken(app, agent.access_token)).toBe(true)
    app.clock.advance(3_590_000)
    expect(await isTaken(app, agent.access_token)).toBe(true)
    app.clock.advance(20_000)
    expect(await isTaken(app, agent.access_token)).toBe(false)
    expect((await renew(agent.clientId, last)).status).toBe(200)
  })

  it.each([0, 15, 5_000, 55_000])('gives one more successor %i ms after its use, and revokes nothing', async (ms) => {
    const agent = await newAgent(app)
    const first = await renew(agent.clientId, agent.refresh_token)
    app.clock.advance(ms)
    const second = await renew(agent.clientId, agent.refresh_token)
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body.refresh_token).not.toBe(first.body.refresh_token)
    expect((await renew(agent.clientId, agent.refresh_token)).body.error).toBe('invalid_grant')
    for (const { access_token } of [agent, first.body, second.body]) expect(await isTaken(app, access_token)).toBe(true)
    for (const { body } of [first, second]) expect((await renew(agent.clientId, body.refresh_token)).status).toBe(200)
  })

  it('of another client, or expired, has no grace', async () => {
    const agent = await newAgent(app)
    await renew(agent.clientId, agent.refresh_token)
    expect((await renew(await newClient(app), agent.refresh_token)).body.error).toBe('invalid_grant')
    expect((await renew(agent.clientId, agent.refresh_token)).status).toBe(200)
  })

  it('revokes all tokens when it is used again later', async () => {
    const agent = await newAgent(app)
    const { body } = await renew(agent.clientId, agent.refresh_token)
    app.clock.advance(61_000)
    expect((await renew(agent.clientId, agent.refresh_token)).body.error).toBe('invalid_grant')
    for (const token of [agent.access_token, body.access_token]) expect(await isTaken(app, token)).toBe(false)
    expect((await renew(agent.clientId, body.refresh_token)).body.error).toBe('invalid_grant')
    expect(app.logText()).toContain('usado duas vezes')
    for (const secret of [agent.refresh_token, body.refresh_token]) expect(app.logText()).not.toContain(secret)
  })

  it('revokes all tokens when any client reuses it days later', async () => {
    const agent = await newAgent(app)
    const first = await renew(agent.clientId, agent.refresh_token)
    app.clock.advance(20 * DAY)
    const { body } = await renew(agent.clientId, first.body.refresh_token)
    expect(await isTaken(app, body.access_token)).toBe(true)
    expect((await renew(await newClient(app), agent.refresh_token)).body.error).toBe('invalid_grant')
    expect(await isTaken(app, body.access_token)).toBe(false)
  })

  it('succeeds twice in concurrent requests, and revokes nothing', async () => {
    for (let round = 0; round < 5; round += 1) {
      const agent = await newAgent(app)
      const answers = await Promise.all(Array.from({ length: 8 }, () => renew(agent.clientId, agent.refresh_token)))
      const winners = answers.filter(({ status }) => status === 200)
      expect(winners.length).toBe(2)
      for (const { body } of winners) {
        expect(await isTaken(app, body.access_token)).toBe(true)
        expect((await renew(agent.clientId, body.refresh_token)).status).toBe(200)
      }
    }
  })

  it('leaves no valid token when the person revokes access during a renewal', async () => {
    const person = await app.signIn(ADMIN.username, ADMIN.password)
    for (let round = 0; round < 4; round += 1) {
      const agent = await newAgent(app)
      const list = await person.expect<{ id: number; client_id: string }[]>(200, 'GET', '/api/v1/autorizacoes')
      const { id } = list.find(({ client_id }) => client_id === agent.clientId) ?? {}
      const takeBack = () => person.expect(204, 'DELETE', `/api/v1/autorizacoes/${id}`)
      const early = round % 2 === 0 ? takeBack() : null
      const renewal = renew(agent.clientId, agent.refresh_token)
      await (early ?? takeBack())
      const { body } = await renewal
      for (const token of [agent.access_token, body.access_token ?? 'nenhum'])
        expect(await isTaken(app, token)).toBe(false)
      expect((await renew(agent.clientId, body.refresh_token ?? agent.refresh_token)).status).toBe(400)
    }
  })

  it('of another client is rejected and stays valid', async () => {
    const agent = await newAgent(app)
    const { status, body } = await renew(await newClient(app), agent.refresh_token)
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
    expect((await renew(agent.clientId, agent.refresh_token)).status).toBe(200)
  })

  it('is rejected at another address of this server', async () => {
    const agent = await newAgent(app)
    const elsewhere = { ...app, url: app.url.replace('127.0.0.1', 'localhost') }
    const { body } = await askToken(elsewhere, refreshFields(agent.clientId, agent.refresh_token))
    expect(body.error).toBe('invalid_grant')
    expect((await renew(agent.clientId, agent.refresh_token)).status).toBe(200)
  })

  it('gives 401 for an unregistered client and invalid_target for another resource', async () => {
    const agent = await newAgent(app)
    expect(await renew('outro', agent.refresh_token)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    expect((await renew(agent.clientId, agent.refresh_token, { resource: app.url })).body.error).toBe('invalid_target')
    expect((await renew(agent.clientId, agent.refresh_token, { resource: `${app.url}/mcp` })).status).toBe(200)
  })

  it('has the same error sentence as a code for every problem', async () => {
    const agent = await newAgent(app)
    const answers = new Set<string>()
    for (const token of ['x', agent.access_token.slice(0, 400), agent.code, agent.refresh_token.toUpperCase()])
      answers.add(JSON.stringify((await renew(agent.clientId, token)).body))
    answers.add(JSON.stringify((await renew(await newClient(app), agent.refresh_token)).body))
    expect(answers.size).toBe(1)
  })

  it('gives 422 when its field is missing', async () => {
    const { status, body } = await askToken(app, { grant_type: 'refresh_token' })
    expect([status, body.error, body.detail]).toMatchObject([
      422,
      'invalid_request',
      [{ loc: ['body', 'refresh_token'] }, { loc: ['body', 'client_id'] }],
    ])
  })
})

it('limits the renewals of one authorization, keeps its token valid and does not affect others', async () => {
  const [agent, other] = [await newAgent(app), await newAgent(app)]
  const { clientId } = agent
  let last = agent.refresh_token
  let given = 1
  for (; given < 200; given += 1) {
    const { status, body } = await renew(clientId, last)
    if (status !== 200) break
    last = body.refresh_token
  }
  const { status, headers, body } = await renew(clientId, last)
  expect([given, status, body.error]).toEqual([120, 429, 'temporarily_unavailable'])
  const wait = Number(headers.get('retry-after'))
  expect(wait).toBeGreaterThan(3_000)
  expect((await renew(other.clientId, other.refresh_token)).status).toBe(200)
  app.clock.advance((wait + 1) * 1000)
  expect((await renew(clientId, last)).status).toBe(200)
  // A use after the grace is detected all the same.
  expect((await renew(clientId, agent.refresh_token)).body.error).toBe('invalid_grant')
  expect((await renew(clientId, last)).body.error).toBe('invalid_grant')
})

describe('time', () => {
  it('ends an unused refresh token after 30 days', async () => {
    const [used, unused] = [await newAgent(app), await newAgent(app)]
    app.clock.advance(30 * DAY - 60_000)
    expect((await renew(used.clientId, used.refresh_token)).status).toBe(200)
    app.clock.advance(120_000)
    expect((await renew(unused.clientId, unused.refresh_token)).body.error).toBe('invalid_grant')
  })

  it('ends the authorization after 180 days, also with renewals', async () => {
    const agent = await newAgent(app)
    let last = { refresh_token: agent.refresh_token, access_token: agent.access_token }
    for (let day = 0; day < 180; day += 20) {
      app.clock.advance(20 * DAY - (day === 160 ? 60_000 : 0))
      const { status, body } = await renew(agent.clientId, last.refresh_token)
      expect([day, status]).toEqual([day, 200])
      last = body
    }
    expect(await isTaken(app, last.access_token)).toBe(true)
    app.clock.advance(120_000)
    expect(await isTaken(app, last.access_token)).toBe(false)
    expect((await renew(agent.clientId, last.refresh_token)).body.error).toBe('invalid_grant')
  })
})

describe('the scope', () => {
  it('can be reduced at a renewal, for that token only', async () => {
    const agent = await newAgent(app)
    const { body } = await renew(agent.clientId, agent.refresh_token, { scope: 'mcp:leitura' })
    expect(body.scope).toBe('mcp:leitura')
    expect((await renew(agent.clientId, body.refresh_token)).body.scope).toBe('mcp')
  })

  it('never becomes more', async () => {
    const agent = await newAgent(app, { scope: 'mcp:leitura' })
    expect(agent.scope).toBe('mcp:leitura')
    for (const scope of ['mcp', 'mcp:leitura mcp'])
      expect(await renew(agent.clientId, agent.refresh_token, { scope })).toMatchObject({
        status: 400,
        body: { error: 'invalid_scope' },
      })
    const { body } = await renew(agent.clientId, agent.refresh_token, { scope: 'openid offline_access' })
    expect(body.scope).toBe('mcp:leitura')
  })
})
