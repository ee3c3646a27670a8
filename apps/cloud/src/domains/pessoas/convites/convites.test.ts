import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Convite, ConviteCriado } from '@vigia/contracts/convites'
import type { Me } from '@vigia/contracts/sessoes'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { type Client, send } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { ADMIN, SENHA, startTestApp } from '../../../test/clouds/test-app.ts'

const PATH = '/api/v1/convites'
const HOUR = 3_600_000

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))

const invite = (by: Client, body: object = { papel: 'usuario' }) => by.expect<ConviteCriado>(201, 'POST', PATH, body)
const tokenOf = ({ link }: ConviteCriado) => new URL(link).hash.slice(1)
const post = (path: string, body: object, address = '203.0.113.5') =>
  send<{ detail?: string }>(`${app.url}${PATH}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify(body),
  })
const see = (token: string, address?: string) => post('/ver', { token }, address)
const accept = (token: string, username: string) => post('/aceitar', { token, username, password: SENHA })

describe('an invitation', () => {
  it('gives a link whose token is in the fragment and stored as a hash only', async () => {
    const { admin, empresaId } = await app.account('Padaria')
    const answer = await admin.send<ConviteCriado>('POST', PATH, { papel: 'usuario', para: 'Ana' })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(answer.body).toMatchObject({
      papel: 'usuario',
      empresa_id: empresaId,
      para: 'Ana',
      criado_por: `administrador-${empresaId}`,
      link: expect.stringMatching(new RegExp(`^${app.url}/convite#[\\w-]{43}$`)),
    })
    const token = tokenOf(answer.body)
    const stored = await backstage.db.selectFrom('convites').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(token)
    expect(await admin.expect(200, 'GET', PATH)).toEqual([{ ...answer.body, link: undefined }])
    expect(app.logText()).not.toContain(token)
  })

  it('shows Empresa and papel, and creates a login that may sign in', async () => {
    const { admin, empresaId } = await app.account('Mercado')
    const convite = await invite(admin, { papel: 'administrador' })
    const token = tokenOf(convite)
    expect(await see(token)).toMatchObject({
      status: 200,
      body: { empresa_nome: 'Mercado', papel: 'administrador', expira_em: convite.expira_em },
    })
    const username = `ana-${empresaId}`
    expect(await accept(token, username)).toMatchObject({ status: 201, body: { username } })
    expect(await (await app.signIn(username)).expect<Me>(200, 'GET', '/api/v1/me')).toMatchObject({
      username,
      papel: 'administrador',
      empresa_id: empresaId,
    })
    const log = await admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?limit=3')
    expect(log.map(({ objeto, acao, username }) => [objeto, acao, username])).toEqual([
      ['sessao', 'entrar', username],
      ['usuario', 'criar', username],
      ['convite', 'aceitar', username],
    ])
    expect(JSON.stringify(log)).not.toContain(token)
    expect(await admin.expect(200, 'GET', PATH)).toEqual([])
  })

  it('works once, also for acceptances at the same time', async () => {
    const { admin, empresaId } = await app.account('Uma vez')
    const token = tokenOf(await invite(admin))
    const asked = await Promise.all(Array.from({ length: 5 }, (_, i) => accept(token, `vez-${empresaId}-${i}`)))
    expect(asked.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404, 404])
    expect((await see(token)).status).toBe(404)
  })

  it('answers the same acceptance again within a minute, and no other one', async () => {
    const { admin, empresaId } = await app.account('Resposta perdida')
    const token = tokenOf(await invite(admin))
    const username = `perdida-${empresaId}`
    const both = await Promise.all([accept(token, username), accept(token, username)])
    const after = await accept(token, username)
    expect([...both, after].map(({ status, body }) => [status, body])).toEqual(Array(3).fill([201, { username }]))
    expect((await post('/aceitar', { token, username, password: `${SENHA}!` })).status).toBe(404)
    expect((await accept(token, `outra-${empresaId}`)).status).toBe(404)
    expect((await see(token)).status).toBe(404)
    expect(await admin.expect(200, 'GET', PATH)).toEqual([])
    app.clock.advance(61_000)
    expect((await accept(token, username)).status).toBe(404)
  })

  it('stays after a refused acceptance', async () => {
    const { admin, empresaId } = await app.account('De novo')
    const token = tokenOf(await invite(admin))
    expect((await accept(token, `usuario-${empresaId}`)).status).toBe(409)
    expect((await post('/aceitar', { token, username: 'x', password: 'curta' })).status).toBe(422)
    expect((await accept(token, 'quiosque: Portaria')).status).toBe(422)
    expect((await accept(token, `novo-${empresaId}`)).status).toBe(201)
  })

  it('respects the limit of logins', async () => {
    const { admin, empresaId } = await app.account('Cheia')
    const token = tokenOf(await invite(admin))
    await app.operator.expect(200, 'PATCH', `/api/v1/empresas/${empresaId}`, { limite_usuarios: 2 })
    const refused = await accept(token, `cheia-${empresaId}`)
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('limite de logins (2)')])
    await app.operator.expect(200, 'PATCH', `/api/v1/empresas/${empresaId}`, { limite_usuarios: 3 })
    expect((await accept(token, `cheia-${empresaId}`)).status).toBe(201)
  })
})

describe('a link answers one sentence and nothing else', () => {
  const unknown = { status: 404, body: { detail: expect.stringContaining('Este convite não vale') } }

  it.each([
    [
      'when it is revoked',
      async (admin: Client, { id }: Convite) => void (await admin.expect(204, 'DELETE', `${PATH}/${id}`)),
    ],
    [
      'when the inviter gets a new password',
      async (admin: Client) => {
        const { id } = await admin.expect<Me>(200, 'GET', '/api/v1/me')
        await app.operator.expect(200, 'PATCH', `/api/v1/usuarios/${id}`, { senha: SENHA })
      },
    ],
    [
      'when the inviter loses the role',
      async (admin: Client) => {
        const { id } = await admin.expect<Me>(200, 'GET', '/api/v1/me')
        await app.operator.expect(200, 'PATCH', `/api/v1/usuarios/${id}`, { papel: 'usuario' })
      },
    ],
    [
      'when the inviter is removed',
      async (admin: Client) => {
        const { id } = await admin.expect<Me>(200, 'GET', '/api/v1/me')
        await app.operator.expect(204, 'DELETE', `/api/v1/usuarios/${id}`)
      },
    ],
    [
      'when the inviter changes the own password',
      async (admin: Client) => {
        await admin.expect(200, 'POST', '/api/v1/me/senha', { atual: SENHA, nova: 'outra-senha-de-teste' })
      },
    ],
  ])('%s', async (_what, end) => {
    const { admin, empresaId } = await app.account('Acaba')
    const convite = await invite(admin)
    await end(admin, convite)
    expect(await see(tokenOf(convite))).toMatchObject(unknown)
    expect(await accept(tokenOf(convite), `tarde-${empresaId}`)).toMatchObject(unknown)
  })

  it.each([{ papel: 'vigilante' }, { ativo: 0 }] as const)(
    'when it was stored after the inviter got %o',
    async (lost) => {
      const { admin, empresaId } = await app.account('Corrida')
      const convite = await invite(admin)
      const { id } = await admin.expect<{ id: number }>(200, 'GET', '/api/v1/me')
      // The request that stores it was authenticated before the change, which therefore did not delete it.
      await backstage.db.updateTable('usuarios').set(lost).where('id', '=', id).execute()
      expect(await see(tokenOf(convite))).toMatchObject(unknown)
      expect(await accept(tokenOf(convite), `corrida-${empresaId}`)).toMatchObject(unknown)
    },
  )

  it('after 72 hours', async () => {
    const other = await startTestApp()
    try {
      const { admin } = await other.account('Demora')
      const convite = await admin.expect<ConviteCriado>(201, 'POST', PATH, { papel: 'usuario' })
      const ver = () =>
        send(`${other.url}${PATH}/ver`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ token: tokenOf(convite) }),
        })
      other.clock.advance(72 * HOUR - 60_000)
      expect((await ver()).status).toBe(200)
      other.clock.advance(61_000)
      expect(await ver()).toMatchObject(unknown)
    } finally {
      await other.stop()
    }
  })

  it('for an unknown token, and guesses are limited by network', async () => {
    const { admin } = await app.account('Certa')
    const good = tokenOf(await invite(admin))
    for (const token of ['x', 'A'.repeat(43), '../../etc/passwd'])
      expect(await see(token, '203.0.113.77')).toMatchObject(unknown)
    for (let i = 0; i < 20; i += 1) await see('x', '203.0.113.77')
    const refused = await see('x', '203.0.113.77')
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await see(good, '203.0.113.78')).status).toBe(200)
  })
})

describe('the rights of the inviter', () => {
  it('bound Empresa and papel; a usuario, a key and a foreign administrador are refused', async () => {
    const { admin, usuario, empresaId } = await app.account('Dentro')
    const other = await app.account('Fora')
    expect((await usuario.send('POST', PATH, { papel: 'usuario' })).status).toBe(403)
    expect((await usuario.send('GET', PATH)).status).toBe(403)
    expect((await other.admin.send('POST', PATH, { papel: 'usuario', empresa_id: empresaId })).status).toBe(404)
    expect((await app.operator.send('POST', PATH, { papel: 'usuario' })).status).toBe(422)
    const { id } = await invite(admin)
    expect((await other.admin.send('DELETE', `${PATH}/${id}`)).status).toBe(404)
    expect(await other.admin.expect(200, 'GET', PATH)).toEqual([])
  })

  it('are limited to 60 invitations an hour', async () => {
    const { admin } = await app.account('Muitas')
    for (let i = 0; i < 60; i += 1) await invite(admin)
    expect((await admin.send('POST', PATH, { papel: 'usuario' })).status).toBe(429)
    expect((await app.signIn(ADMIN.username, ADMIN.password)).token).not.toBe('')
  })
})
