import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Quiosque } from '@vigia/contracts/quiosques'
import type { Me } from '@vigia/contracts/sessoes'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, clientOf, send } from '../../test/client.ts'
import { openSse } from '../../test/sse.ts'
import { type Account, startTestApp, type TestApp } from '../../test/test-app.ts'

const PATH = '/api/v1/quiosques'
const DAY = 24 * 3_600_000

let app: TestApp
let account: Account
beforeAll(async () => {
  app = await startTestApp()
  account = await app.account('Padaria')
})
afterAll(() => app.stop())

const tokenOf = ({ headers }: { readonly headers: Headers }) =>
  /^session=([\w-]{43});/.exec(headers.getSetCookie()[0] ?? '')?.[1] ?? ''
const alive = async (client: Client) => (await client.send('GET', '/api/v1/me')).status === 200

/** A screen that `by` turned into a quiosque. */
async function screen(by: Client, nome: string, papel = 'usuario') {
  const answer = await by.send<Quiosque>('POST', PATH, { nome, papel })
  expect(answer.status).toBe(201)
  return { quiosque: answer.body, client: clientOf(app.url, tokenOf(answer)), answer }
}

describe('a quiosque', () => {
  it('sets a cookie of 30 days and no token in its body; /me names it', async () => {
    const { answer, quiosque, client } = await screen(account.admin, 'Portaria', 'vigilante')
    expect(answer.headers.getSetCookie()).toEqual([
      `session=${client.token}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax`,
    ])
    expect(quiosque).toMatchObject({
      ...{ nome: 'Portaria', papel: 'vigilante', empresa_id: account.empresaId },
      criado_por: `administrador-${account.empresaId}`,
    })
    expect(JSON.stringify(answer.body)).not.toContain(client.token)
    expect(await client.expect<Me>(200, 'GET', '/api/v1/me')).toMatchObject({
      ...{ id: null, username: 'quiosque: Portaria', papel: 'vigilante', empresas: [account.empresaId] },
      sessao: { expira_em: quiosque.expira_em, quiosque: { id: quiosque.id, nome: 'Portaria' } },
    })
    expect(await alive(account.admin)).toBe(true)
  })

  it('replaces the session of the browser that creates it', async () => {
    const admin = await app.signIn(`administrador-${account.empresaId}`)
    const answer = await send(`${app.url}${PATH}`, {
      method: 'POST',
      headers: {
        cookie: `session=${admin.token}`,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ nome: 'Doca', papel: 'usuario' }),
    })
    expect([answer.status, await alive(admin), await alive(clientOf(app.url, tokenOf(answer)))]).toEqual([
      201,
      false,
      true,
    ])
  })

  it('reads its Empresa alone and does nothing that concerns a login', async () => {
    const below = await account.admin.expect<{ id: number }>(201, 'POST', '/api/v1/empresas', { nome: 'Filial' })
    const { client } = await screen(account.admin, 'Leitura')
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

  it('renews its token until its end, and lives 30 days without a renewal', async () => {
    const other = await startTestApp()
    try {
      const { admin } = await other.account('Longe')
      const made = await admin.send<Quiosque>('POST', PATH, { nome: 'Sala', papel: 'usuario' })
      const first = clientOf(other.url, tokenOf(made))
      other.clock.advance(20 * DAY)
      const answer = await first.send<{ access_token: string; expires_in: number }>('POST', '/api/v1/auth/renovar')
      expect(Math.abs(answer.body.expires_in - 10 * 24 * 3600)).toBeLessThan(60)
      const second = clientOf(other.url, answer.body.access_token)
      other.clock.advance(61_000)
      expect([await alive(first), await alive(second)]).toEqual([false, true])
      other.clock.advance(10 * DAY)
      expect(await alive(second)).toBe(false)
    } finally {
      await other.stop()
    }
  })

  it('ends at once, with its open streams, when it is revoked', async () => {
    const { client, quiosque } = await screen(account.admin, 'Some')
    const stream = await openSse(`${app.url}/api/v1/sse/alertas`, { authorization: `Bearer ${client.token}` })
    await account.admin.expect(204, 'DELETE', `${PATH}/${quiosque.id}`)
    await stream.ended
    expect(await alive(client)).toBe(false)
    expect((await account.admin.send('DELETE', `${PATH}/${quiosque.id}`)).status).toBe(404)
    const log = await account.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?objeto=quiosque&limit=1')
    expect(log).toMatchObject([{ acao: 'remover', objeto_id: quiosque.id, objeto_nome: 'Some' }])
  })

  it('ends with logout on its screen, which the audit log names', async () => {
    const { client, quiosque } = await screen(account.admin, 'Sai')
    await client.send('GET', '/logout')
    expect(await alive(client)).toBe(false)
    const log = await account.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?objeto=quiosque&limit=1')
    expect(log).toMatchObject([
      { acao: 'remover', objeto_id: quiosque.id, usuario_id: null, username: 'quiosque: Sai' },
    ])
  })
})

describe('the list', () => {
  it('shows those in scope, newest first, to administrators', async () => {
    const other = await app.account('Alheia')
    const { quiosque } = await screen(other.admin, 'Portaria')
    expect(await other.admin.expect(200, 'GET', PATH)).toEqual([{ ...quiosque, visto_em: expect.any(String) }])
    const own = await account.admin.expect<Quiosque[]>(200, 'GET', PATH)
    expect(own.map(({ empresa_id }) => empresa_id)).not.toContain(other.empresaId)
    expect((await account.admin.send('DELETE', `${PATH}/${quiosque.id}`)).status).toBe(404)
    expect((await other.usuario.send('GET', PATH)).status).toBe(403)
  })
})

describe('a name', () => {
  it('is used once in an Empresa', async () => {
    await screen(account.admin, 'Única')
    const again = await account.admin.send('POST', PATH, { nome: 'Única', papel: 'usuario' })
    expect(again.status).toBe(409)
  })

  it.each(['quiosque: Portaria', 'QUIOSQUE : x', 'ｑuiosque:x'])('of a login cannot be %s', async (username) => {
    const answer = await app.operator.send('POST', '/api/v1/usuarios', { username, senha: 'uma-senha-comprida' })
    expect([answer.status, answer.body]).toMatchObject([422, { detail: [{ loc: ['body', 'username'] }] }])
  })

  it('needs an Empresa in scope', async () => {
    const body = { nome: 'Do operador', papel: 'usuario' }
    expect((await app.operator.send('POST', PATH, body)).status).toBe(422)
    expect((await account.admin.send('POST', PATH, { ...body, empresa_id: 999_999 })).status).toBe(404)
    expect((await account.admin.send('POST', PATH, { ...body, papel: 'administrador' })).status).toBe(422)
  })
})
