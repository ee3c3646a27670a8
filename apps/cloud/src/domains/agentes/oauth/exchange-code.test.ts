import { randomBytes } from 'node:crypto'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { tokenHash } from '../../../adapters/bearer-token.ts'
import {
  askToken,
  codeFields,
  isTaken,
  loginId,
  newAgent,
  newClient,
  newCode,
  newPkce,
  REDIRECT,
  refreshFields,
} from '../../../test/clients/oauth-flow.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))

/** A code before its exchange. */
async function waiting() {
  const clientId = await newClient(app)
  const pkce = newPkce()
  const code = await newCode(app, clientId, pkce)
  return { clientId, pkce, code, good: codeFields(clientId, code, pkce) }
}

async function isBurnt(code: string): Promise<boolean> {
  const { usado_em } = await backstage.db
    .selectFrom('codigos_oauth')
    .select('usado_em')
    .where('codigo_hash', '=', tokenHash(code))
    .executeTakeFirstOrThrow()
  return usado_em !== null
}

const records = (acao: string) =>
  backstage.db.selectFrom('auditoria').selectAll().where('acao', '=', acao).orderBy('id', 'desc').execute()

describe('a code and its verifier', () => {
  it('are exchanged for tokens that may not be cached', async () => {
    const { good } = await waiting()
    const { status, headers, body } = await askToken(app, good)
    expect([status, headers.get('cache-control'), headers.get('pragma')]).toEqual([200, 'no-store', 'no-cache'])
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'mcp',
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(await isTaken(app, body.access_token)).toBe(true)
  })

  it('may come with the resource, in upper or lower case', async () => {
    const { good } = await waiting()
    expect((await askToken(app, { ...good, resource: `${app.url}/mcp`.replace('http', 'HTTP') })).status).toBe(200)
  })

  it('are valid for one minute', async () => {
    const [early, late] = [await waiting(), await waiting()]
    app.clock.advance(55_000)
    expect((await askToken(app, early.good)).status).toBe(200)
    app.clock.advance(6_000)
    expect((await askToken(app, late.good)).body.error).toBe('invalid_grant')
  })
})

describe('a wrong request is rejected, and invalidates the code', () => {
  const attacks: Readonly<Record<string, (given: Awaited<ReturnType<typeof waiting>>) => Promise<object> | object>> = {
    'another verifier': () => ({ code_verifier: newPkce().verifier }),
    'the challenge in place of the verifier': ({ pkce }) => ({ code_verifier: pkce.challenge }),
    'a verifier that is too short': () => ({ code_verifier: 'a' }),
    'the client of somebody else': async () => ({ client_id: await newClient(app) }),
    'another port of the same computer': () => ({ redirect_uri: 'http://127.0.0.1:2/callback' }),
    'another path': () => ({ redirect_uri: 'http://127.0.0.1:1/callback/../outro' }),
    'another host': () => ({ redirect_uri: 'https://exemplo.br/callback' }),
  }
  const answers = new Set<string>()

  it.each(Object.keys(attacks))('%s', async (name) => {
    const given = await waiting()
    const { status, body } = await askToken(app, { ...given.good, ...(await attacks[name]?.(given)) })
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
    answers.add(JSON.stringify(body))
    expect(await isBurnt(given.code)).toBe(true)
    expect((await askToken(app, given.good)).body.error).toBe('invalid_grant')
  })

  it('an invented code', async () => {
    const { good } = await waiting()
    for (const code of [randomBytes(32).toString('base64url'), 'x', "' or 1=1 --", good.code.slice(0, -1)]) {
      const { status, body } = await askToken(app, { ...good, code })
      expect(status).toBe(400)
      answers.add(JSON.stringify(body))
    }
  })

  it('gives the same answer for each of them', () => expect([...answers]).toHaveLength(1))

  it('another resource', async () => {
    for (const resource of [app.url, `${app.url}/mcp//`, `${app.url}/mcp#x`, 'https://exemplo.br/mcp', 'x']) {
      const { good } = await waiting()
      const { status, body } = await askToken(app, { ...good, resource })
      expect([resource, status, body.error]).toEqual([resource, 400, 'invalid_target'])
      expect((await askToken(app, good)).body.error).toBe('invalid_grant')
    }
  })

  it('but not the same resource in another notation', async () => {
    for (const resource of [`${app.url}/mcp/`, `${app.url.replace('http', 'HTTP')}/mcp`]) {
      const { good } = await waiting()
      expect([resource, (await askToken(app, { ...good, resource })).status]).toEqual([resource, 200])
    }
  })

  it('another address of this server', async () => {
    const { good } = await waiting()
    const elsewhere = { ...app, url: app.url.replace('127.0.0.1', 'localhost') }
    expect((await askToken(elsewhere, good)).body.error).toBe('invalid_grant')
    expect((await askToken(app, good)).body.error).toBe('invalid_grant')
  })

  it('an unregistered client, which gets 401 and registers again', async () => {
    const { good } = await waiting()
    const { status, body } = await askToken(app, { ...good, client_id: 'outro' })
    expect([status, body.error]).toEqual([401, 'invalid_client'])
    expect((await askToken(app, good)).body.error).toBe('invalid_grant')
  })

  it('a login that was deactivated after the consent', async () => {
    const { empresaId, admin } = await app.account('Código')
    const clientId = await newClient(app)
    const pkce = newPkce()
    const code = await newCode(app, clientId, pkce, { username: `usuario-${empresaId}` })
    const id = await loginId(admin, `usuario-${empresaId}`)
    await admin.expect(200, 'PATCH', `/api/v1/usuarios/${id}`, { ativo: false })
    expect((await askToken(app, codeFields(clientId, code, pkce))).body.error).toBe('invalid_grant')
  })
})

describe('a reused code', () => {
  it('revokes the tokens of its first use', async () => {
    const agent = await newAgent(app)
    expect(await isTaken(app, agent.access_token)).toBe(true)
    const { status, body } = await askToken(app, codeFields(agent.clientId, agent.code, agent.pkce))
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
    expect(await isTaken(app, agent.access_token)).toBe(false)
    const renewed = await askToken(app, refreshFields(agent.clientId, agent.refresh_token))
    expect(renewed.body.error).toBe('invalid_grant')
  })

  it('revokes them for any sender, also with wrong data and hours later', async () => {
    const agent = await newAgent(app)
    app.clock.advance(3 * 3_600_000)
    const { body } = await askToken(app, refreshFields(agent.clientId, agent.refresh_token))
    expect(await isTaken(app, body.access_token)).toBe(true)
    await askToken(app, codeFields(await newClient(app), agent.code, newPkce()))
    expect(await isTaken(app, body.access_token)).toBe(false)
  })

  it('succeeds at most once in concurrent requests, and all tokens are revoked', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { good } = await waiting()
      const answers = await Promise.all(Array.from({ length: 8 }, () => askToken(app, good)))
      const winners = answers.filter(({ status }) => status === 200)
      expect(winners.length).toBe(1)
      for (const { body } of winners) expect(await isTaken(app, body.access_token)).toBe(false)
    }
  })

  it('is audited once, with the program and without a login, and logged', async () => {
    const agent = await newAgent(app)
    const before = (await records('revogar')).length
    for (let i = 0; i < 3; i += 1) await askToken(app, codeFields(agent.clientId, agent.code, agent.pkce))
    const [record, ...others] = await records('revogar')
    expect(others).toHaveLength(before)
    expect(record).toMatchObject({
      usuario_id: null,
      username: null,
      canal: 'agente',
      cliente: `Agente de teste (${agent.clientId})`,
      endereco: '127.0.0.1',
      objeto: 'autorizacao_oauth',
    })
    expect(record?.depois_json).toContain('duas vezes')
    expect(app.logText()).toContain('"msg":"oauth: authorization revoked')
  })
})

describe('the form', () => {
  it('answers 422 in both error formats for a missing or too long field', async () => {
    const { good } = await waiting()
    const left = (name: string) => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name))
    for (const name of ['grant_type', 'code', 'redirect_uri', 'client_id', 'code_verifier'])
      for (const [fields, type] of [
        [left(name), 'missing'],
        [{ ...good, [name]: 'x'.repeat(3000) }, 'string_too_long'],
      ] as const) {
        const { status, body } = await askToken(app, fields)
        expect([name, status, body]).toEqual([
          name,
          422,
          {
            error: 'invalid_request',
            error_description: expect.stringContaining(name),
            detail: [{ loc: ['body', name], msg: expect.any(String), type }],
          },
        ])
      }
    // None of these requests counts as a use of the code.
    expect((await askToken(app, good)).status).toBe(200)
  })

  it('treats an empty field as missing', async () => {
    const { good } = await waiting()
    const { status, body } = await askToken(app, { ...good, code_verifier: '' })
    expect([status, body.error]).toEqual([422, 'invalid_request'])
  })

  it('rejects a repeated field', async () => {
    const { good } = await waiting()
    const fields = new URLSearchParams(good)
    fields.append('client_id', good.client_id)
    const answer = await fetch(`${app.url}/oauth/token`, { method: 'POST', body: fields })
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_request' }])
  })

  it('rejects other grant types and JSON', async () => {
    const others = ['password', 'client_credentials', 'implicit', 'AUTHORIZATION_CODE', 'constructor', '__proto__']
    for (const grant_type of others)
      expect((await askToken(app, { grant_type })).body.error).toBe('unsupported_grant_type')
    const { good } = await waiting()
    const answer = await fetch(`${app.url}/oauth/token`, {
      method: 'POST',
      body: JSON.stringify(good),
      headers: { 'content-type': 'application/json' },
    })
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_request' }])
  })

  it('rejects a client secret', async () => {
    const { good } = await waiting()
    const basic = (secret: string) => ({
      authorization: `Basic ${Buffer.from(`${good.client_id}:${secret}`).toString('base64')}`,
    })
    for (const answer of [
      await askToken(app, { ...good, client_secret: 'segredo' }),
      await askToken(app, good, basic('segredo')),
    ])
      expect([answer.status, answer.body.error, answer.headers.get('www-authenticate')]).toEqual([
        401,
        'invalid_client',
        'Basic realm="vigia"',
      ])
    expect((await askToken(app, { ...good, client_secret: '' }, basic(''))).status).toBe(200)
  })
})

it('limits the failures of one network, but still accepts valid requests', async () => {
  const { good } = await waiting()
  const from = { 'x-forwarded-for': '203.0.113.9' }
  const wrong = () => askToken(app, { ...good, code: randomBytes(32).toString('base64url') }, from)
  let last = await wrong()
  for (let i = 0; i < 110 && last.status === 400; i += 1) last = await wrong()
  expect([last.status, last.body.error]).toEqual([429, 'temporarily_unavailable'])
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await askToken(app, good, from)).status).toBe(200)
})

it('writes no code, token or verifier to the log or the disk', async () => {
  const agent = await newAgent(app)
  const stored = JSON.stringify([
    await backstage.db.selectFrom('codigos_oauth').selectAll().execute(),
    await backstage.db.selectFrom('renovacoes_oauth').selectAll().execute(),
    await backstage.db.selectFrom('acessos_oauth').selectAll().execute(),
    await backstage.db.selectFrom('auditoria').selectAll().execute(),
  ])
  for (const secret of [agent.code, agent.access_token, agent.refresh_token, agent.pkce.verifier])
    expect([app.logText().includes(secret), stored.includes(secret)]).toEqual([false, false])
  expect(stored).toContain(REDIRECT)
})
