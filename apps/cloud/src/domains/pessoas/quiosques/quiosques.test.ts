import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Quiosque, QuiosqueCreate } from '@vigia/contracts/quiosques'
import type { Me } from '@vigia/contracts/sessoes'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { type Client, clientOf } from '../../../test/clients/client.ts'
import { loginId } from '../../../test/clients/oauth-flow.ts'
import { browserOf, cookieOf, startQuiosque } from '../../../test/clients/quiosque.ts'
import { turnOn } from '../../../test/clients/second-factor.ts'
import { openSse } from '../../../test/clients/sse.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { type Account, SENHA, startTestApp } from '../../../test/clouds/test-app.ts'

const PATH = '/api/v1/quiosques'
const DAY = 24 * 3_600_000

const app = fixture(startTestApp)
const account = fixture(() => app.account('Padaria'))

const alive = async (client: Client) => (await client.send('GET', '/api/v1/me')).status === 200
const adminOf = ({ empresaId }: Account) => `administrador-${empresaId}`

/** A screen that the browser of an administrator turned into a quiosque. */
const screen = ({ empresaId }: Account, body: QuiosqueCreate, username = `administrador-${empresaId}`) =>
  startQuiosque(app.url, { username, senha: SENHA }, body)

const usuario = { papel: 'usuario' } as const

describe('a quiosque', () => {
  it('sets a cookie of 30 days and no token in its body; /me names it', async () => {
    const { answer, quiosque, client } = await screen(account, { nome: 'Portaria', papel: 'vigilante' })
    expect(answer.headers.getSetCookie()).toEqual([
      `session=${client.token}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax`,
    ])
    expect(quiosque).toMatchObject({
      nome: 'Portaria',
      papel: 'vigilante',
      empresa_id: account.empresaId,
      criado_por: adminOf(account),
    })
    expect(JSON.stringify(answer.body)).not.toContain(client.token)
    expect(await client.expect<Me>(200, 'GET', '/api/v1/me')).toMatchObject({
      id: null,
      username: 'quiosque: Portaria',
      papel: 'vigilante',
      empresas: [account.empresaId],
      sessao: { expira_em: quiosque.expira_em, quiosque: { id: quiosque.id, nome: 'Portaria' } },
    })
  })

  it('replaces the session of the browser that creates it', async () => {
    const admin = await app.signIn(adminOf(account))
    const answer = await browserOf(app.url, admin.token).send('POST', PATH, { nome: 'Doca', ...usuario })
    const made = browserOf(app.url, cookieOf(answer))
    expect([answer.status, await alive(admin), await alive(made)]).toEqual([201, false, true])
  })

  it('is made by its own browser only: a token in a header makes none', async () => {
    const answer = await account.admin.send('POST', PATH, { nome: 'Alheia', ...usuario })
    expect(answer).toMatchObject({ status: 403, body: { detail: expect.stringContaining('navegador') } })
    const { token } = await app.signIn(adminOf(account))
    const headers = { cookie: `session=${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ nome: 'Alheia', ...usuario })
    for (const site of [{ 'sec-fetch-site': 'cross-site' }, {}])
      expect(
        (await fetch(`${app.url}${PATH}`, { method: 'POST', headers: { ...headers, ...site }, body })).status,
      ).toBe(403)
  })

  it('is no Bearer token, nor a token in an address', async () => {
    const { client } = await screen(account, { nome: 'Cookie', ...usuario })
    expect(await alive(client)).toBe(true)
    const bearer = await clientOf(app.url, client.token).send('GET', '/api/v1/cameras')
    expect(bearer).toMatchObject({ status: 401, body: { detail: expect.stringContaining('cookie') } })
    expect((await fetch(`${app.url}/api/v1/sse/alertas?token=${client.token}`)).status).toBe(401)
  })

  it('reads its Empresa alone and does nothing that concerns a login', async () => {
    const below = await account.admin.expect<{ id: number }>(201, 'POST', '/api/v1/empresas', { nome: 'Filial' })
    const { client } = await screen(account, { nome: 'Leitura', ...usuario })
    await client.expect(200, 'GET', '/api/v1/cameras')
    expect((await client.send('GET', `/api/v1/cameras?empresa_id=${below.id}`)).status).toBe(404)
    const refused = [
      ['POST', PATH, { nome: 'x', papel: 'usuario' }],
      ['GET', PATH, undefined],
      ['GET', '/api/v1/me/sessoes', undefined],
      ['POST', '/api/v1/me/senha', { atual: 'x', nova: 'y'.repeat(8) }],
      ['POST', '/api/v1/me/segundo-fator', { acao: 'iniciar', senha: 'x' }],
    ] as const
    for (const [method, path, body] of refused) expect((await client.send(method, path, body)).status).toBe(403)
  })

  it('renews its cookie until its end, without a token in the body, and lives 30 days without a renewal', async () => {
    const other = await startTestApp()
    try {
      const longe = await other.account('Longe')
      const login = { username: adminOf(longe), senha: SENHA }
      const { client: first } = await startQuiosque(other.url, login, { nome: 'Sala', ...usuario })
      other.clock.advance(20 * DAY)
      const answer = await first.send<{ access_token: string; expires_in: number }>('POST', '/api/v1/auth/renovar')
      expect(Math.abs(answer.body.expires_in - 10 * 24 * 3600)).toBeLessThan(60)
      expect(answer.body.access_token).toBe('')
      const second = browserOf(other.url, cookieOf(answer))
      other.clock.advance(61_000)
      expect([await alive(first), await alive(second)]).toEqual([false, true])
      other.clock.advance(10 * DAY)
      expect(await alive(second)).toBe(false)
    } finally {
      await other.stop()
    }
  })

  it('ends at once, with its open streams, when it is revoked', async () => {
    const { client, quiosque } = await screen(account, { nome: 'Some', ...usuario })
    const stream = await openSse(`${app.url}/api/v1/sse/alertas`, { cookie: `session=${client.token}` })
    await account.admin.expect(204, 'DELETE', `${PATH}/${quiosque.id}`)
    await stream.ended
    expect(await alive(client)).toBe(false)
    expect((await account.admin.send('DELETE', `${PATH}/${quiosque.id}`)).status).toBe(404)
    const log = await account.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?objeto=quiosque&limit=1')
    expect(log).toMatchObject([{ acao: 'remover', objeto_id: quiosque.id, objeto_nome: 'Some' }])
  })

  it('ends with logout on its screen, which the audit log names', async () => {
    const { client, quiosque } = await screen(account, { nome: 'Sai', ...usuario })
    await client.send('GET', '/logout')
    expect(await alive(client)).toBe(false)
    const log = await account.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?objeto=quiosque&limit=1')
    expect(log).toMatchObject([
      { acao: 'remover', objeto_id: quiosque.id, usuario_id: null, username: 'quiosque: Sai' },
    ])
  })
})

describe('a quiosque ends, with its open streams, when its maker', () => {
  /** An Empresa whose second administrator made a screen with an open stream. */
  async function made() {
    const owner = await app.account('Do autor')
    const username = `autor-${owner.empresaId}`
    const login = { username, senha: SENHA, papel: 'administrador' }
    const { id } = await owner.admin.expect<{ id: number }>(201, 'POST', '/api/v1/usuarios', login)
    const { client, quiosque } = await screen(owner, { nome: 'Sala', ...usuario }, username)
    const stream = await openSse(`${app.url}/api/v1/sse/alertas`, { cookie: `session=${client.token}` })
    return { owner, id, username, client, quiosque, stream }
  }

  it.each([
    ['is disabled', { ativo: false }],
    ['loses the role', { papel: 'vigilante' }],
    ['gets a new password from somebody else', { senha: 'outra-senha-comprida' }],
  ])('%s, and does not come back', async (_name, patch) => {
    const { owner, id, client, stream, quiosque } = await made()
    await owner.admin.expect(200, 'PATCH', `/api/v1/usuarios/${id}`, patch)
    await stream.ended
    await owner.admin.expect(200, 'PATCH', `/api/v1/usuarios/${id}`, { ativo: true, papel: 'administrador' })
    expect(await alive(client)).toBe(false)
    expect(await owner.admin.expect(200, 'GET', PATH)).toEqual([])
    const log = await owner.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?objeto=quiosque&limit=1')
    expect(log).toMatchObject([{ acao: 'remover', objeto_id: quiosque.id, username: adminOf(owner) }])
  })

  it('is removed', async () => {
    const { owner, id, client, stream } = await made()
    await owner.admin.expect(204, 'DELETE', `/api/v1/usuarios/${id}`)
    await stream.ended
    expect(await alive(client)).toBe(false)
    expect(await owner.admin.expect(200, 'GET', PATH)).toEqual([])
  })

  it('lacks the second factor that his Empresa now requires; one with a factor keeps his', async () => {
    const { owner, client, stream } = await made()
    const { client: safe } = await screen(owner, { nome: 'Com fator', ...usuario })
    await turnOn(app, await app.signIn(adminOf(owner)))
    await app.operator.expect(200, 'PATCH', `/api/v1/empresas/${owner.empresaId}`, { exigir_segundo_fator: true })
    await stream.ended
    expect([await alive(client), await alive(safe)]).toEqual([false, true])
    await app.operator.expect(200, 'PATCH', `/api/v1/empresas/${owner.empresaId}`, { exigir_segundo_fator: false })
    expect(await alive(client)).toBe(false)
  })

  it('loses the scope, by the state of each request', async () => {
    const backstage = await openBackstage(app)
    const above = await app.account('Acima')
    const below = await app.account('Abaixo', above.admin)
    const body = { nome: 'Sala', ...usuario, empresa_id: below.empresaId }
    const { client } = await screen(above, body)
    expect(await alive(client)).toBe(true)
    await backstage.db.updateTable('empresas').set({ empresa_pai_id: null }).where('id', '=', below.empresaId).execute()
    expect(await alive(client)).toBe(false)
    await backstage.close()
  })
})

describe('a maker who changes the own password', () => {
  it('is shown his quiosques, and those that he does not name end', async () => {
    const owner = await app.account('Da senha')
    const kept = await screen(owner, { nome: 'Fica', ...usuario })
    const left = await screen(owner, { nome: 'Acaba', ...usuario })
    const other = `outro-${owner.empresaId}`
    const login = { username: other, senha: SENHA, papel: 'administrador' }
    await owner.admin.expect(201, 'POST', '/api/v1/usuarios', login)
    const foreign = await screen(owner, { nome: 'De outro', ...usuario }, other)
    const own = await app.signIn(adminOf(owner))
    const shown = await own.expect<Quiosque[]>(200, 'GET', `${PATH}?meus=true`)
    expect(shown.map(({ id }) => id)).toEqual([left.quiosque.id, kept.quiosque.id])
    const stream = await openSse(`${app.url}/api/v1/sse/alertas`, { cookie: `session=${left.client.token}` })
    const senha = { atual: SENHA, nova: 'uma-outra-senha', quiosques: [kept.quiosque.id, 999_999] }
    await own.expect(200, 'POST', '/api/v1/me/senha', senha)
    await stream.ended
    expect(await Promise.all([kept, left, foreign].map(({ client }) => alive(client)))).toEqual([true, false, true])
  })

  it('ends all of them without a choice', async () => {
    const owner = await app.account('Sem escolha')
    const { client } = await screen(owner, { nome: 'Acaba', ...usuario })
    const own = await app.signIn(adminOf(owner))
    expect(await loginId(owner.admin, adminOf(owner))).toBeGreaterThan(0)
    await own.expect(200, 'POST', '/api/v1/me/senha', { atual: SENHA, nova: 'uma-outra-senha' })
    expect(await alive(client)).toBe(false)
  })
})

describe('the list', () => {
  it('shows those in scope, newest first, to administrators', async () => {
    const other = await app.account('Alheia')
    const { quiosque } = await screen(other, { nome: 'Portaria', ...usuario })
    expect(await other.admin.expect(200, 'GET', PATH)).toEqual([{ ...quiosque, visto_em: expect.any(String) }])
    const own = await account.admin.expect<Quiosque[]>(200, 'GET', PATH)
    expect(own.map(({ empresa_id }) => empresa_id)).not.toContain(other.empresaId)
    expect((await account.admin.send('DELETE', `${PATH}/${quiosque.id}`)).status).toBe(404)
    expect((await other.usuario.send('GET', PATH)).status).toBe(403)
  })
})

describe('a name', () => {
  /** Status of a request by a browser of its own. */
  const refused = async (client: Promise<Client>, body: object) =>
    (await browserOf(app.url, (await client).token).send('POST', PATH, body)).status

  it('is used once in an Empresa', async () => {
    await screen(account, { nome: 'Única', ...usuario })
    expect(await refused(app.signIn(adminOf(account)), { nome: 'Única', ...usuario })).toBe(409)
  })

  it.each(['quiosque: Portaria', 'QUIOSQUE : x', 'ｑuiosque:x'])('of a login cannot be %s', async (username) => {
    const answer = await app.operator.send('POST', '/api/v1/usuarios', { username, senha: 'uma-senha-comprida' })
    expect([answer.status, answer.body]).toMatchObject([422, { detail: [{ loc: ['body', 'username'] }] }])
  })

  it('is refused above a hundred of an Empresa', async () => {
    const full = await app.account('Cheia')
    const { quiosque } = await screen(full, { nome: 'Portaria', ...usuario })
    const backstage = await openBackstage(app)
    const { id: _, ...row } = await backstage.db
      .selectFrom('quiosques')
      .selectAll()
      .where('id', '=', quiosque.id)
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: 99 }, (_, i) => ({ ...row, nome: `Tela ${i}` }))
    await backstage.db.insertInto('quiosques').values(rows).execute()
    await backstage.close()
    expect(await refused(app.signIn(adminOf(full)), { nome: 'Mais uma', ...usuario })).toBe(409)
  })

  it('needs an Empresa in scope', async () => {
    const body = { nome: 'Do operador', ...usuario }
    const admin = () => app.signIn(adminOf(account))
    expect(await refused(Promise.resolve(app.operator), body)).toBe(422)
    expect(await refused(admin(), { ...body, empresa_id: 999_999 })).toBe(404)
    expect(await refused(admin(), { ...body, papel: 'administrador' })).toBe(422)
  })
})
