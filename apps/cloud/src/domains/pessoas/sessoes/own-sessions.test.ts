import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Me, Sessao } from '@vigia/contracts/sessoes'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { type Client, clientOf, form, send } from '../../../test/clients/client.ts'
import { openSse } from '../../../test/clients/sse.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { ADMIN, SENHA, startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))

const SENHA_NOVA = 'outra-senha-de-teste'
const alive = async (client: Client) => (await client.send('GET', '/api/v1/me')).status === 200
const sessions = (client: Client) => client.expect<Sessao[]>(200, 'GET', '/api/v1/me/sessoes')
const lastRecord = async (query: string) =>
  (await app.operator.expect<RegistroAuditoria[]>(200, 'GET', `/api/v1/auditoria?limit=1&${query}`))[0]

describe('the sessions of a login', () => {
  it('are listed with their origin, without a token, and only to that login', async () => {
    const { admin, usuario, empresaId } = await app.account('Padaria')
    const fields = form({ username: `usuario-${empresaId}`, password: SENHA })
    const headers = { 'user-agent': `Navegador\tde teste ${'x'.repeat(300)}`, 'x-forwarded-for': '203.0.113.9' }
    await send(`${app.url}/api/v1/auth/token`, { ...fields, headers })
    const listed = await sessions(usuario)
    expect(listed.map(({ atual }) => atual).sort()).toEqual([false, true])
    const { sessao } = await usuario.expect<Me>(200, 'GET', '/api/v1/me')
    const other = listed.find(({ atual }) => !atual)
    expect(other).toMatchObject({ host: '127.0.0.1', endereco: '203.0.113.9' })
    expect(other?.agente).toMatch(/^Navegadorde teste x+$/)
    expect(other?.agente?.length).toBe(200)
    const times = { expira_em: sessao?.expira_em, renova_ate: sessao?.renova_ate }
    expect(listed.find(({ atual }) => atual)).toMatchObject(times)
    expect(JSON.stringify(listed)).not.toContain(usuario.token)
    expect(await sessions(admin)).toHaveLength(1)
  })

  it('are at most a hundred: a further sign-in ends the oldest', async () => {
    const { usuario, empresaId } = await app.account('Muitas')
    const { sessao } = await usuario.expect<Me>(200, 'GET', '/api/v1/me')
    const row = { host: '127.0.0.1', agente: null, endereco: null, quiosque_id: null, visto_em: app.clock.now() }
    const own = await backstage.db
      .selectFrom('sessoes')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const { id: _, ...seen } = own
    await backstage.db
      .insertInto('sessoes')
      .values(Array.from({ length: 99 }, () => ({ ...seen, ...row })))
      .execute()
    expect(await alive(usuario)).toBe(true)
    const next = await app.signIn(`usuario-${empresaId}`)
    expect([await alive(usuario), await alive(next)]).toEqual([false, true])
    expect(await sessions(next)).toHaveLength(100)
    expect(sessao).not.toBeNull()
  })

  it('end one by one, at once with their streams, audited; a foreign one is not found', async () => {
    const { admin, usuario, empresaId } = await app.account('Encerra')
    const other = await app.signIn(`usuario-${empresaId}`)
    const stream = await openSse(`${app.url}/api/v1/sse/alertas`, { authorization: `Bearer ${other.token}` })
    const [ended] = (await sessions(usuario)).filter(({ atual }) => !atual)
    const [foreign] = await sessions(admin)
    const path = (id = 0) => `/api/v1/me/sessoes/${id}`
    expect((await usuario.send('DELETE', path(foreign?.id))).status).toBe(404)
    await usuario.expect(204, 'DELETE', path(ended?.id))
    await stream.ended
    expect([await alive(other), await alive(usuario), await alive(admin)]).toEqual([false, true, true])
    expect((await usuario.send('DELETE', path(ended?.id))).status).toBe(404)
    expect(await lastRecord(`objeto=sessao&objeto_id=${ended?.id}`)).toMatchObject({
      acao: 'sair',
      username: `usuario-${empresaId}`,
      empresa_id: empresaId,
    })
  })
})

describe('the own password', () => {
  const change = (client: Client, atual: string, nova: string) =>
    client.send<{ access_token: string }>('POST', '/api/v1/me/senha', { atual, nova })

  it('changes with the present one: every session ends, and the answer has a new one', async () => {
    const { usuario, empresaId, admin } = await app.account('Troca')
    const username = `usuario-${empresaId}`
    const other = await app.signIn(username)
    const before = await usuario.expect<Me>(200, 'GET', '/api/v1/me')
    const answer = await change(usuario, SENHA, SENHA_NOVA)
    expect([answer.status, answer.headers.getSetCookie()[0]]).toEqual([
      200,
      expect.stringContaining(`session=${answer.body.access_token}; Max-Age=3600;`),
    ])
    const fresh = clientOf(app.url, answer.body.access_token)
    expect(await Promise.all([usuario, other, fresh, admin].map(alive))).toEqual([false, false, true, true])
    const after = await fresh.expect<Me>(200, 'GET', '/api/v1/me')
    expect(after.sessao?.renova_ate).toBe(before.sessao?.renova_ate)
    await expect(app.signIn(username)).rejects.toThrow('401')
    expect(await alive(await app.signIn(username, SENHA_NOVA))).toBe(true)
    const record = await lastRecord(`objeto=usuario&objeto_id=${before.id}&acao=alterar`)
    expect(record).toMatchObject({ username, depois: { senha: '**** (outro valor)' } })
    expect(JSON.stringify(record)).not.toContain(SENHA_NOVA)
  })

  it('stays after a wrong, short or equal one, and guesses are limited', async () => {
    const { usuario } = await app.account('Erra')
    const wrong = await change(usuario, 'errada', SENHA_NOVA)
    expect([wrong.status, wrong.body]).toMatchObject([422, { detail: [{ loc: ['body', 'atual'] }] }])
    expect(await change(usuario, SENHA, 'curta')).toMatchObject({ status: 422 })
    expect(await change(usuario, SENHA, SENHA)).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ['body', 'nova'] }] },
    })
    expect(await alive(usuario)).toBe(true)
    for (let i = 0; i < 10; i += 1) await change(usuario, 'errada', SENHA_NOVA)
    expect((await change(usuario, SENHA, SENHA_NOVA)).status).toBe(429)
  })

  it('changes once when two changes run at the same time', async () => {
    const { usuario, empresaId } = await app.account('Corrida')
    const asked = await Promise.all([1, 2].map((i) => change(usuario, SENHA, `${SENHA_NOVA}-${i}`)))
    const good = asked.flatMap(({ status }, i) => (status === 200 ? [i + 1] : []))
    expect([good.length, asked.map(({ status }) => status).sort()[0]]).toEqual([1, 200])
    expect(await alive(await app.signIn(`usuario-${empresaId}`, `${SENHA_NOVA}-${good[0]}`))).toBe(true)
  })

  it('takes no API key', async () => {
    const { admin } = await app.account('Chave')
    const { chave } = await admin.expect<{ chave: string }>(201, 'POST', '/api/v1/chaves', {
      nome: 'x',
      escopo: 'escrita',
    })
    expect((await change(clientOf(app.url, chave), SENHA, SENHA_NOVA)).status).toBe(403)
  })
})

it('a session that expires disappears from the list', async () => {
  const other = await startTestApp()
  try {
    other.clock.advance(61 * 60_000)
    const again = await other.signIn(ADMIN.username, ADMIN.password)
    expect(await sessions(again)).toHaveLength(1)
  } finally {
    await other.stop()
  }
})
