import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Autorizacao } from '@vigia/contracts/autorizacoes'
import type { Chave, ChaveCriada } from '@vigia/contracts/chaves'
import type { ConviteCriado } from '@vigia/contracts/convites'
import type { Empresa } from '@vigia/contracts/empresas'
import type { Me } from '@vigia/contracts/sessoes'
import type { Usuario } from '@vigia/contracts/usuarios'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { authorizePage, requestOf } from '../../../test/clients/authorize-page.ts'
import { type Client, clientOf, send } from '../../../test/clients/client.ts'
import { newClient } from '../../../test/clients/oauth-flow.ts'
import { startQuiosque } from '../../../test/clients/quiosque.ts'
import { connectTicked } from '../../../test/clients/ticked-agent.ts'
import { SENHA, startTestApp } from '../../../test/clouds/test-app.ts'

const PATH = '/api/v1/usuarios'
const app = fixture(startTestApp)
const central = fixture(() => app.account('Central'))
const loja = fixture(() => app.account('Loja', central.admin))
const doca = fixture(() => app.account('Doca', central.admin))
const alheia = fixture(() => app.account('Alheia'))

let made = 0
/** A login of the central with this reach, made by its administrador. */
async function login(fields: object, by: Client = central.admin) {
  made += 1
  const username = `pessoa-${made}`
  const { id } = await by.expect<Usuario>(201, 'POST', PATH, { username, senha: SENHA, ...fields })
  return { id, username, client: await app.signIn(username) }
}
const me = (by: Client) => by.expect<Me>(200, 'GET', '/api/v1/me')
const empresas = async (by: Client) => (await by.expect<Empresa[]>(200, 'GET', '/api/v1/empresas')).map(({ id }) => id)
const change = (id: number, fields: object, by: Client = central.admin) => by.send('PATCH', `${PATH}/${id}`, fields)

describe('the reach of a login', () => {
  it.each(['administrador', 'vigilante', 'usuario'])(
    'of a %s is its Empresa, those below too, or a list',
    async (papel) => {
      const [c, l, d] = [central.empresaId, loja.empresaId, doca.empresaId]
      const usual = papel === 'administrador' ? 'abaixo' : 'propria'
      for (const [alcance, expected, reached] of [
        [undefined, usual, usual === 'abaixo' ? [c, l, d] : [c]],
        ['propria', 'propria', [c]],
        ['abaixo', 'abaixo', [c, l, d]],
        [
          [d, l, d],
          [l, d],
          [l, d],
        ],
      ] as const) {
        const { client } = await login({ papel, alcance })
        expect(await me(client)).toMatchObject({ alcance: expected, empresas: reached, empresa_id: c })
        expect(await empresas(client)).toEqual(reached)
      }
    },
  )

  it('is a list of existing Empresas in scope, at most 500', async () => {
    const refused = async (alcance: unknown) =>
      (await central.admin.send('POST', PATH, { username: 'x', senha: SENHA, alcance })).status
    expect(await refused([alheia.empresaId])).toBe(404)
    expect(await refused([loja.empresaId, 999_999])).toBe(404)
    expect(await refused([])).toBe(422)
    expect(await refused('tudo')).toBe(422)
    expect(await refused(Array.from({ length: 501 }, (_, at) => at + 1))).toBe(422)
    const missing = { username: 'x', senha: SENHA, empresa_id: loja.empresaId, alcance: [999_999] }
    expect((await app.operator.send('POST', PATH, missing)).status).toBe(404)
  })

  it('is never beyond that of its creator, also when it is changed', async () => {
    const { client } = await login({ papel: 'administrador', empresa_id: loja.empresaId, alcance: [loja.empresaId] })
    const body = { username: 'abaixo', senha: SENHA, papel: 'administrador' }
    const asked = await client.send('POST', PATH, { ...body, alcance: 'abaixo' })
    expect(asked).toMatchObject({ status: 403, body: { detail: expect.stringContaining('maior que o seu') } })
    expect((await client.send('POST', PATH, { ...body, alcance: [doca.empresaId] })).status).toBe(404)
    const narrow = await login({ papel: 'administrador' }, client)
    expect(await me(narrow.client)).toMatchObject({ alcance: 'propria', empresas: [loja.empresaId] })
    expect((await change(narrow.id, { alcance: 'abaixo' }, client)).status).toBe(403)
  })

  it('protects a login from those that do not reach all of it', async () => {
    const wide = await login({
      papel: 'vigilante',
      empresa_id: loja.empresaId,
      alcance: [loja.empresaId, doca.empresaId],
    })
    for (const fields of [{ senha: 'outra senha comprida' }, { papel: 'usuario' }, { ativo: false }])
      expect(await change(wide.id, fields, loja.admin)).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining('que você não alcança') },
      })
    expect((await loja.admin.send('DELETE', `${PATH}/${wide.id}`)).status).toBe(403)
    expect((await change(wide.id, { senha: SENHA })).status).toBe(200)
  })

  it('of a new papel without the field is the default of that papel; a chosen one stays', async () => {
    const usual = await login({ papel: 'vigilante' })
    const chosen = await login({ papel: 'vigilante', alcance: [loja.empresaId] })
    for (const { id } of [usual, chosen]) expect((await change(id, { papel: 'administrador' })).status).toBe(200)
    expect(await me(await app.signIn(usual.username))).toMatchObject({ alcance: 'abaixo' })
    expect(await me(await app.signIn(chosen.username))).toMatchObject({ alcance: [loja.empresaId] })
  })

  it('holds at once, keeps the session, and is audited', async () => {
    const { id, client } = await login({ papel: 'vigilante', alcance: [loja.empresaId, doca.empresaId] })
    expect((await change(id, { alcance: [doca.empresaId] })).status).toBe(200)
    expect(await empresas(client)).toEqual([doca.empresaId])
    const [record] = await central.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?limit=1')
    expect(record).toMatchObject({
      acao: 'alterar',
      objeto: 'usuario',
      objeto_id: id,
      antes: { alcance: [loja.empresaId, doca.empresaId] },
      depois: { alcance: [doca.empresaId] },
    })
  })

  it('lets an administrador with a list do as in its own Empresa, not as from above', async () => {
    const { client } = await login({ papel: 'administrador', alcance: [loja.empresaId, doca.empresaId] })
    const one = `/api/v1/empresas/${loja.empresaId}`
    expect((await client.send('PATCH', one, { nome: 'Loja' })).status).toBe(200)
    expect((await client.send('PATCH', one, { limite_cameras: 9 })).status).toBe(403)
    expect((await client.send('DELETE', one, { senha: SENHA })).status).toBe(403)
    expect((await client.send('POST', '/api/v1/empresas', { nome: 'Nova' })).status).toBe(403)
    const limites = await client.expect<{ empresa_id: number }[]>(200, 'GET', '/api/v1/limites')
    expect(limites.map(({ empresa_id }) => empresa_id)).toEqual([loja.empresaId, doca.empresaId])
  })

  it('without an Empresa is that of the operator, or a list', async () => {
    const make = (fields: object) =>
      app.operator.send<Usuario>('POST', PATH, { username: `sem-${made++}`, senha: SENHA, empresa_id: null, ...fields })
    expect((await make({ papel: 'vigilante', alcance: 'abaixo' })).status).toBe(422)
    expect((await make({ papel: 'administrador', alcance: [loja.empresaId] })).status).toBe(422)
    const { status, body } = await make({ papel: 'vigilante', alcance: [loja.empresaId, alheia.empresaId] })
    expect(status).toBe(201)
    expect(await empresas(await app.signIn(body.username))).toEqual([loja.empresaId, alheia.empresaId])
    expect((await change(body.id, { papel: 'administrador' }, app.operator)).status).toBe(422)
  })

  it('that lost its last Empresa disables the login with a sentence, until it gets another one', async () => {
    const last = await app.account('Última', central.admin)
    const two = await login({ papel: 'vigilante', alcance: [last.empresaId, loja.empresaId] })
    const one = await login({ papel: 'vigilante', alcance: [last.empresaId] })
    await central.admin.expect(202, 'DELETE', `/api/v1/empresas/${last.empresaId}`, { senha: SENHA })
    expect(await me(two.client)).toMatchObject({ alcance: [loja.empresaId] })
    expect((await one.client.send('GET', '/api/v1/me')).status).toBe(401)
    const body = new URLSearchParams({ username: one.username, password: SENHA })
    const entered = await send(`${app.url}/api/v1/auth/token`, { method: 'POST', body })
    expect(entered).toMatchObject({ status: 403, body: { detail: expect.stringContaining('foram removidas') } })
    const list = await central.admin.expect<Usuario[]>(200, 'GET', PATH)
    expect(list.find(({ id }) => id === one.id)).toMatchObject({ ativo: false, alcance: [] })
    expect((await change(one.id, { ativo: true })).status).toBe(409)
    expect((await change(one.id, { alcance: [doca.empresaId] })).status).toBe(200)
    expect(await empresas(await app.signIn(one.username))).toEqual([doca.empresaId])
  })
})

describe('the reach of an invitation', () => {
  const accept = (convite: ConviteCriado, username: string) =>
    send(`${app.url}/api/v1/convites/aceitar`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: new URL(convite.link).hash.slice(1), username, password: SENHA }),
    })

  it('becomes that of the login, unless its author has lost it', async () => {
    const author = await login({ papel: 'administrador', alcance: [central.empresaId, loja.empresaId, doca.empresaId] })
    const invite = (alcance: unknown) =>
      author.client.expect<ConviteCriado>(201, 'POST', '/api/v1/convites', { papel: 'vigilante', alcance })
    expect((await author.client.send('POST', '/api/v1/convites', { papel: 'usuario', alcance: 'abaixo' })).status).toBe(
      403,
    )
    const kept = await invite([loja.empresaId])
    const lost = await invite([doca.empresaId])
    expect(kept.alcance).toEqual([loja.empresaId])
    expect((await change(author.id, { alcance: [central.empresaId, loja.empresaId] })).status).toBe(200)
    expect((await accept(lost, 'convidado-perdido')).status).toBe(404)
    expect((await accept(kept, 'convidado')).status).toBe(201)
    expect(await me(await app.signIn('convidado'))).toMatchObject({ alcance: [loja.empresaId] })
  })
})

describe('the reach of a quiosque', () => {
  it('is at most that of its maker now', async () => {
    const maker = await login({ papel: 'administrador' })
    const owner = { username: maker.username, senha: SENHA }
    const body = { nome: 'Sala', papel: 'vigilante' as const, alcance: [loja.empresaId, doca.empresaId] }
    const { quiosque, client } = await startQuiosque(app.url, owner, body)
    expect(quiosque.alcance).toEqual([loja.empresaId, doca.empresaId])
    expect(await empresas(client)).toEqual([loja.empresaId, doca.empresaId])
    expect((await change(maker.id, { alcance: [doca.empresaId] })).status).toBe(200)
    expect(await me(client)).toMatchObject({ empresas: [doca.empresaId] })
    expect((await change(maker.id, { alcance: [central.empresaId] })).status).toBe(200)
    expect((await client.send('GET', '/api/v1/me')).status).toBe(401)
  })
})

describe('the reach of a key', () => {
  it('is its Empresa, those below too, or a list within that of its creator', async () => {
    const key = (fields: object) =>
      central.admin.expect<ChaveCriada>(201, 'POST', '/api/v1/chaves', {
        nome: `k${made++}`,
        escopo: 'leitura',
        ...fields,
      })
    const reached = async ({ chave }: ChaveCriada) => await empresas(clientOf(app.url, chave))
    expect(await reached(await key({}))).toEqual([central.empresaId])
    const list = await key({ alcance: [doca.empresaId] })
    expect(await reached(list)).toEqual([doca.empresaId])
    expect(await reached(await key({ alcance: 'abaixo' }))).toContain(loja.empresaId)
    const [shown] = await central.admin.expect<Chave[]>(200, 'GET', '/api/v1/chaves')
    expect(shown?.alcance).toBe('abaixo')
    const beyond = { nome: 'alheia', escopo: 'leitura', alcance: [alheia.empresaId] }
    expect((await central.admin.send('POST', '/api/v1/chaves', beyond)).status).toBe(404)
  })
})

describe('the reach of an agent', () => {
  it('is one Empresa, which is preselected, or that of its login', async () => {
    const { username } = await login({ papel: 'vigilante', alcance: 'abaixo' })
    const page = await authorizePage(app).post({
      ...requestOf(await newClient(app)),
      username,
      password: SENHA,
      etapa: 'consentimento',
    })
    const offered = [...page.body.matchAll(/<option value="(\w+)">/g)].map(([, value]) => value)
    // The first one is chosen.
    expect(offered.slice(0, 2)).toEqual([central, loja].map(({ empresaId }) => String(empresaId)))
    expect(offered.at(-1)).toBe('login')
    expect(offered).not.toContain(String(alheia.empresaId))
    const read = async (fields: Record<string, string>) => {
      const agent = await connectTicked(app, username, [], fields)
      return (await agent.expect<{ login: Me }>('quem_sou')).login.empresas
    }
    expect(await read({ alcance: String(loja.empresaId) })).toEqual([loja.empresaId])
    expect(await read({ alcance: 'login' })).toContain(doca.empresaId)
  })

  it('follows its login down, and is shown with the agent', async () => {
    const { id, username } = await login({ papel: 'vigilante', alcance: [loja.empresaId, doca.empresaId] })
    const agent = await connectTicked(app, username, [], { alcance: String(loja.empresaId) })
    const [grant] = await central.admin.expect<Autorizacao[]>(200, 'GET', '/api/v1/autorizacoes')
    expect(grant).toMatchObject({ username, alcance: [loja.empresaId] })
    expect((await change(id, { alcance: [doca.empresaId] })).status).toBe(200)
    await expect(agent.call('quem_sou')).rejects.toThrow()
  })
})
