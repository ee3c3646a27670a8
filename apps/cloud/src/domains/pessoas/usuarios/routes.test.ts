import { fixture } from '@vigia/testing/fixture'
import { expect, it } from 'vitest'
import { SENHA, startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const own = fixture(() => app.account('Própria'))
const foreign = fixture(() => app.account('Alheia'))

const path = '/api/v1/usuarios'
interface Usuario {
  username: string
  empresa_id: number | null
}

it('creates a login that can sign in, and never shows its password or hash', async () => {
  const made = await own.admin.expect(201, 'POST', path, { username: 'Zé', senha: SENHA })
  expect(made).toEqual({
    id: expect.any(Number),
    username: 'Zé',
    papel: 'usuario',
    empresa_id: own.empresaId,
    alcance: 'propria',
    ativo: true,
    segundo_fator: false,
    criado_em: expect.any(String),
  })
  expect((await (await app.signIn('zé')).send('GET', '/api/v1/me')).status).toBe(200)
  const list = await own.admin.expect(200, 'GET', path)
  expect(JSON.stringify(list)).not.toMatch(/senha|hash|argon2/)
})

it('refuses a username that is taken in any Empresa, also in another case', async () => {
  await own.admin.expect(201, 'POST', path, { username: 'Ângela', senha: SENHA })
  for (const username of ['Ângela', 'ÂNGELA', ' ângela ', 'A\u0302ngela'])
    expect((await foreign.admin.send('POST', path, { username, senha: SENHA })).status).toBe(409)
})

it('creates logins only in the scope', async () => {
  const make = (empresa_id: number | null) =>
    own.admin.send('POST', path, { username: `x${empresa_id}`, senha: SENHA, empresa_id })
  expect((await make(foreign.empresaId)).status).toBe(404)
  expect((await make(999_999)).status).toBe(404)
  expect((await make(null)).status).toBe(403)
  const child = await own.admin.expect<{ id: number }>(201, 'POST', '/api/v1/empresas', { nome: 'Abaixo' })
  expect((await make(child.id)).status).toBe(201)
})

it('lets the operator create another operator, and reports a missing Empresa', async () => {
  const operator = { username: 'segundo', senha: SENHA, papel: 'administrador' }
  await app.operator.expect(201, 'POST', path, operator)
  expect(await (await app.signIn('segundo')).expect(200, 'GET', '/api/v1/me')).toMatchObject({ empresas: null })
  const answer = await app.operator.send('POST', path, { ...operator, username: 'terceiro', empresa_id: 999_999 })
  expect(answer.status).toBe(404)
})

it('shows nothing to a usuario without an Empresa', async () => {
  await app.operator.expect(201, 'POST', path, { username: 'solto', senha: SENHA })
  const solto = await app.signIn('solto')
  for (const list of [path, '/api/v1/empresas', '/api/v1/cameras'])
    expect(await solto.expect(200, 'GET', list)).toEqual([])
})

it('lists the logins in scope', async () => {
  const list = await foreign.usuario.expect<Usuario[]>(200, 'GET', path)
  expect(list.length).toBeGreaterThanOrEqual(2)
  expect(new Set(list.map(({ empresa_id }) => empresa_id))).toEqual(new Set([foreign.empresaId]))
  const all = await app.operator.expect<Usuario[]>(200, 'GET', path)
  expect(all.map(({ username }) => username)).toContain('admin')
})

it('creates a vigilante, who sees its Empresa alone and loses its session with the role', async () => {
  const below = await app.account('Filial', own.admin)
  const rui = { username: 'rui', senha: SENHA, papel: 'vigilante' }
  const { id } = await own.admin.expect<{ id: number }>(201, 'POST', path, rui)
  const client = await app.signIn('rui')
  const { empresaId } = own
  const login = { papel: 'vigilante', empresa_id: empresaId, empresas: [empresaId] }
  expect(await client.expect(200, 'GET', '/api/v1/me')).toMatchObject(login)
  expect((await client.send('GET', `/api/v1/empresas/${below.empresaId}`)).status).toBe(404)
  const gravador = { nome: 'DVR', fabricante: 'intelbras', host: '192.0.2.9', porta: 554, usuario: 'ana', senha: 'x-1' }
  await own.admin.expect(201, 'POST', '/api/v1/gravadores', { ...gravador, empresa_id: empresaId })
  expect(await client.expect(200, 'GET', '/api/v1/gravadores')).toMatchObject([{ senha: '****' }])

  await own.admin.expect(200, 'PATCH', `${path}/${id}`, { papel: 'usuario' })
  expect((await client.send('GET', '/api/v1/me')).status).toBe(401)
  await own.admin.expect(200, 'PATCH', `${path}/${id}`, { papel: 'vigilante' })
  expect(await (await app.signIn('rui')).expect(200, 'GET', '/api/v1/me')).toMatchObject(login)
})

it('refuses a short password, an unknown role and an unreadable name', async () => {
  const answer = await own.admin.send<{ detail: { loc: string[]; type: string }[] }>('POST', path, {
    username: '\u0007',
    senha: 'curta',
    papel: 'chefe',
  })
  expect(answer.status).toBe(422)
  expect(answer.body.detail.map(({ loc, type }) => [loc[1], type])).toEqual([
    ['username', 'string_pattern_mismatch'],
    ['senha', 'string_too_short'],
    ['papel', 'enum'],
  ])
})
