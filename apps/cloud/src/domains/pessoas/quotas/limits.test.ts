import { campoLimite, type LimitesEmpresa, limites, type TipoLimite, tiposLimite } from '@vigia/contracts/limites'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { authorizePage } from '../../../test/clients/authorize-page.ts'
import type { Client } from '../../../test/clients/client.ts'
import { approve, authorizeAgent, newClient, newPkce, REDIRECT } from '../../../test/clients/oauth-flow.ts'
import { type Account, SENHA, startTestApp } from '../../../test/clouds/test-app.ts'

/** Each Empresa is a child of the previous one. */
const app = fixture(() => startTestApp({ VIGIA_SONDAGEM_PERMITIR: '127.0.0.0/8' }))
const root = fixture(() => app.account('Integradora'))
const middle = fixture(() => app.account('Rede', root.admin))
const leaf = fixture(() => app.account('Loja', middle.admin))

interface Answered {
  readonly status: number
  readonly body: { readonly detail?: unknown } | null
}

let count = 0
const host = () => {
  count += 1
  return `127.9.${Math.floor(count / 250)}.${(count % 250) + 1}`
}
const post = (path: string, body: () => object) => (empresa_id: number) =>
  root.admin.send<Answered['body']>('POST', `/api/v1/${path}`, { empresa_id, ...body() })

/** Creates one object of a kind for an Empresa of the tree. */
const create: Readonly<Record<TipoLimite, (empresaId: number) => Promise<Answered>>> = {
  cameras: post('cameras', () => ({ nome: 'Doca', rtsp_url: `rtsp://${host()}/1` })),
  gravadores: post('gravadores', () => ({
    fabricante: 'intelbras',
    host: host(),
    porta: 554,
    usuario: 'ana',
    senha: 'x',
    nome: 'DVR',
  })),
  edges: post('edges', () => ({ nome: 'Caixa' })),
  usuarios: post('usuarios', () => ({ username: `login-${host()}`, senha: SENHA, papel: 'usuario' })),
  canais: post('notificacoes', () => ({})),
  chaves: post('chaves', () => ({ nome: host(), escopo: 'leitura' })),
  agentes: async (empresaId) => {
    const { status, body } = await decide(await ticketOf(empresaId))
    return { status: status === 303 ? 201 : status, body: { detail: body } }
  },
}
const ticketOf = async (empresaId: number) => {
  const login = { username: `administrador-${empresaId}`, password: SENHA }
  return authorizePage(app).ticket(await newClient(app), login)
}
const decide = (bilhete: string) => authorizePage(app).decide({ bilhete })

const patch = (by: Client, id: number, fields: object) => by.send('PATCH', `/api/v1/empresas/${id}`, fields)
const set = (id: number, tipo: TipoLimite, valor: number) =>
  app.operator.expect(200, 'PATCH', `/api/v1/empresas/${id}`, { [campoLimite(tipo)]: valor })
const unlimited = async (tipo: TipoLimite) => {
  for (const { empresaId } of [root, middle, leaf]) await set(empresaId, tipo, 500)
}
const usoOf = async (id: number, tipo: TipoLimite) => {
  const [found] = await app.operator.expect<LimitesEmpresa[]>(200, 'GET', `/api/v1/limites?empresa_id=${id}`)
  if (!found) throw new Error(`no limits of ${id}`)
  return found.limites[tipo]
}
const shown = (id: number) => app.operator.expect<Record<string, number>>(200, 'GET', `/api/v1/empresas/${id}`)
const below = async ({ admin }: Account, fields: object = {}) =>
  (await admin.expect<{ id: number }>(201, 'POST', '/api/v1/empresas', { nome: 'Filial', ...fields })).id

describe.each(tiposLimite)('the limit of %s', (tipo) => {
  it('refuses an excess at the Empresa and at each ancestor, and names it', async () => {
    for (const { empresaId } of [leaf, middle, root]) {
      await unlimited(tipo)
      const { uso } = await usoOf(empresaId, tipo)
      await set(empresaId, tipo, uso + 1)
      expect(await create[tipo](leaf.empresaId)).toMatchObject({ status: 201 })
      expect(await usoOf(empresaId, tipo)).toEqual({ limite: uso + 1, uso: uso + 1, livres: 0 })
      const refused = await create[tipo](leaf.empresaId)
      const sentence = expect.stringContaining(`O limite de ${limites[tipo].nome} `)
      expect([refused.status, refused.body?.detail]).toEqual([409, sentence])
      expect((await usoOf(empresaId, tipo)).uso).toBe(uso + 1)
    }
  })

  it('keeps existing objects after a reduction and refuses more until they fit', async () => {
    await unlimited(tipo)
    const { uso } = await usoOf(middle.empresaId, tipo)
    await set(middle.empresaId, tipo, 1)
    expect(uso).toBeGreaterThan(1)
    expect(await usoOf(middle.empresaId, tipo)).toEqual({ limite: 1, uso, livres: 0 })
    expect((await create[tipo](leaf.empresaId)).status).toBe(409)
    await set(middle.empresaId, tipo, uso + 1)
    expect((await create[tipo](leaf.empresaId)).status).toBe(201)
  })

  it('admits one of two concurrent requests for the last slot', async () => {
    await unlimited(tipo)
    await set(root.empresaId, tipo, (await usoOf(root.empresaId, tipo)).uso + 1)
    const answers = await Promise.all([leaf, middle].map(({ empresaId }) => create[tipo](empresaId)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  it('is set only by ancestors, and not above their own', async () => {
    await unlimited(tipo)
    const campo = campoLimite(tipo)
    expect((await patch(leaf.admin, leaf.empresaId, { [campo]: 5 })).status).toBe(403)
    expect((await patch(root.admin, leaf.empresaId, { [campo]: 5 })).status).toBe(tipo === 'cameras' ? 200 : 403)
    await set(middle.empresaId, tipo, 20)
    const refused = await patch(app.operator, leaf.empresaId, { [campo]: 21 })
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['body', campo] }] } })
    await set(leaf.empresaId, tipo, 20)
    for (const valor of [-1, 1.5, 100_001, '5'])
      expect((await patch(app.operator, root.empresaId, { [campo]: valor })).status).toBe(422)
  })
})

describe('limits in a tree', () => {
  it('of siblings may exceed the parent in sum; a lower limit of the parent applies to all', async () => {
    await unlimited('cameras')
    const [a, b] = [await below(root), await below(root)]
    const { uso } = await usoOf(root.empresaId, 'cameras')
    await set(root.empresaId, 'cameras', uso + 3)
    for (const id of [a, b]) await set(id, 'cameras', uso + 3)
    for (const id of [a, a, b]) expect((await create.cameras(id)).status).toBe(201)
    expect((await create.cameras(b)).status).toBe(409)
    expect(await usoOf(b, 'cameras')).toEqual({ limite: uso + 3, uso: 1, livres: 0 })

    await set(root.empresaId, 'cameras', 2)
    expect((await shown(b)).limite_cameras).toBe(2)
    const list = await middle.admin.expect<Record<string, number>[]>(200, 'GET', '/api/v1/empresas')
    expect(list.map(({ limite_cameras }) => limite_cameras)).toEqual([2, 2])
    await set(root.empresaId, 'cameras', 100)
    expect((await shown(b)).limite_cameras).toBe(uso + 3)
  })

  it('start at the minimum of the default and the parent', async () => {
    await unlimited('cameras')
    await set(root.empresaId, 'cameras', 7)
    await set(root.empresaId, 'canais', 2)
    const id = await below(root)
    await set(root.empresaId, 'cameras', 100)
    expect(await shown(id)).toMatchObject({ limite_cameras: 7, limite_canais: 2, limite_edges: 500 })
    expect((await shown(await below(root))).limite_cameras).toBe(64)
  })

  it('may be set with a new Empresa by callers that may change them', async () => {
    await unlimited('cameras')
    const make = (by: Client, fields: object) => by.send('POST', '/api/v1/empresas', { nome: 'X', ...fields })
    expect(await make(root.admin, { limite_cameras: 500 })).toMatchObject({
      status: 201,
      body: { limite_cameras: 500 },
    })
    expect((await make(root.admin, { limite_cameras: 501 })).status).toBe(422)
    expect((await make(root.admin, { limite_edges: 1 })).status).toBe(403)
    expect(await make(app.operator, { limite_edges: 9, limite_cameras: 5000 })).toMatchObject({
      status: 201,
      body: { limite_edges: 9, limite_cameras: 5000, limite_canais: 1000 },
    })
  })

  it('create all cameras of a gravador or none, and return the smallest free number', async () => {
    await unlimited('cameras')
    await unlimited('gravadores')
    await set(root.empresaId, 'cameras', (await usoOf(root.empresaId, 'cameras')).uso + 5)
    const { uso } = await usoOf(leaf.empresaId, 'cameras')
    const access = { fabricante: 'intelbras', host: host(), porta: 554, usuario: 'ana', senha: 'x', num_canais: 8 }
    const register = (canais: number[]) =>
      leaf.admin.send('POST', '/api/v1/gravadores/cadastrar', { ...access, empresa_id: leaf.empresaId, canais })
    expect(await register([1, 2])).toMatchObject({ status: 201, body: { vagas_restantes: 3 } })
    expect(await register([3, 4, 5, 6])).toMatchObject({ status: 409 })
    expect((await usoOf(leaf.empresaId, 'cameras')).uso).toBe(uso + 2)
    expect(await register([3, 4, 5])).toMatchObject({ status: 201, body: { vagas_restantes: 0 } })
    const { uso: gravadores } = await usoOf(leaf.empresaId, 'gravadores')
    await set(leaf.empresaId, 'gravadores', gravadores)
    expect((await register([3])).status).toBe(201)
    Object.assign(access, { host: host() })
    expect(await register([])).toMatchObject({ status: 422 })
    expect(await register([1])).toMatchObject({ status: 409, body: { detail: expect.stringContaining('gravadores') } })
  })

  it('name an ancestor only to callers with it in scope', async () => {
    await set(root.empresaId, 'cameras', 0)
    const refusal = async (by: Client) => {
      const body = { empresa_id: leaf.empresaId, nome: 'Doca', rtsp_url: `rtsp://${host()}/1` }
      return (await by.expect<{ detail: string }>(409, 'POST', '/api/v1/cameras', body)).detail
    }
    for (const by of [leaf.admin, middle.admin]) {
      expect(await refusal(by)).toContain('O limite de câmeras da conta acima desta Empresa')
      expect(await refusal(by)).not.toContain('Integradora')
    }
    for (const by of [root.admin, app.operator]) expect(await refusal(by)).toContain('da Empresa "Integradora"')
  })

  it('let a canal move between children of a full Empresa, but not into a full one', async () => {
    await unlimited('canais')
    const [a, b] = [await below(root), await below(root)]
    const { id } = await root.admin.expect<{ id: number }>(201, 'POST', '/api/v1/notificacoes', { empresa_id: a })
    await set(root.empresaId, 'canais', (await usoOf(root.empresaId, 'canais')).uso)
    const move = async (empresa_id: number) =>
      (await root.admin.send('PATCH', `/api/v1/notificacoes/${id}`, { empresa_id })).status
    expect(await move(b)).toBe(200)
    await set(a, 'canais', 0)
    expect([await move(a), await move(b), await move(root.empresaId)]).toEqual([409, 200, 200])
  })

  it('exclude logins and agents of the operator', async () => {
    await app.operator.expect(201, 'POST', '/api/v1/usuarios', {
      username: 'outro-operador',
      senha: SENHA,
      papel: 'administrador',
      empresa_id: null,
    })
    expect(await authorizeAgent(app, 'outro-operador')).not.toBe('')
  })
})

describe('limite_bytes', () => {
  it('is set by the operator alone, and null removes it', async () => {
    const bytes = async (by: Client, id: number) => {
      const [found] = await by.expect<LimitesEmpresa[]>(200, 'GET', `/api/v1/limites?empresa_id=${id}`)
      return found?.bytes
    }
    expect(await bytes(leaf.admin, leaf.empresaId)).toEqual({ limite: null, uso: 0, livres: null, espera: null })
    for (const by of [root.admin, leaf.admin])
      expect(await patch(by, leaf.empresaId, { limite_bytes: 10 ** 9 })).toMatchObject({
        status: 403,
        body: { detail: expect.stringContaining('operador') },
      })
    expect((await root.admin.send('POST', '/api/v1/empresas', { nome: 'X', limite_bytes: 10 ** 9 })).status).toBe(403)
    expect((await patch(app.operator, root.empresaId, { limite_bytes: 10 ** 9 })).status).toBe(200)
    expect((await patch(app.operator, leaf.empresaId, { limite_bytes: 5 * 10 ** 9 })).status).toBe(200)
    // The lower limit of the ancestor applies.
    expect(await bytes(leaf.admin, leaf.empresaId)).toMatchObject({ limite: 10 ** 9, livres: 10 ** 9 })
    expect(await patch(leaf.admin, leaf.empresaId, { limite_bytes: null })).toMatchObject({ status: 403 })
    for (const limite_bytes of [0, 10 ** 8 - 1, 1.5, '5'])
      expect((await patch(app.operator, leaf.empresaId, { limite_bytes })).status).toBe(422)
    expect((await patch(app.operator, root.empresaId, { limite_bytes: null })).status).toBe(200)
    expect(await bytes(leaf.admin, leaf.empresaId)).toMatchObject({ limite: 5 * 10 ** 9 })
  })
})

describe('GET /limites', () => {
  it('shows each administrador its part of the tree, and the papel usuario nothing', async () => {
    const seen = async (by: Client) =>
      (await by.expect<LimitesEmpresa[]>(200, 'GET', '/api/v1/limites')).map(({ empresa_id }) => empresa_id)
    const ids = [root, middle, leaf].map(({ empresaId }) => empresaId)
    expect(await seen(middle.admin)).toEqual(ids.slice(1))
    for (const by of [root.admin, app.operator]) expect(await seen(by)).toEqual(expect.arrayContaining(ids))
    expect((await middle.usuario.send('GET', '/api/v1/limites')).status).toBe(403)
    for (const id of [root.empresaId, 999_999])
      expect((await middle.admin.send('GET', `/api/v1/limites?empresa_id=${id}`)).status).toBe(404)
    expect((await app.operator.send('GET', '/api/v1/limites?empresa_id=999999')).status).toBe(404)
    expect((await app.operator.send('GET', '/api/v1/limites?empresa_id=x')).status).toBe(422)
  })
})

describe('an agent above the limit', () => {
  it('is refused on the page with a link to the program and accepted once another is removed', async () => {
    await unlimited('agentes')
    await create.agentes(leaf.empresaId)
    const { uso } = await usoOf(leaf.empresaId, 'agentes')
    await set(leaf.empresaId, 'agentes', uso)
    const bilhete = await ticketOf(leaf.empresaId)
    const refused = await decide(bilhete)
    expect([refused.status, refused.headers.get('location')]).toEqual([409, null])
    expect(refused.body).toContain(`O limite de agentes (${uso}) da Empresa está todo em uso`)
    expect(refused.body).toContain('callback?error=access_denied')
    const [agent] = await leaf.admin.expect<{ id: number }[]>(200, 'GET', '/api/v1/autorizacoes')
    await leaf.admin.expect(204, 'DELETE', `/api/v1/autorizacoes/${agent?.id}`)
    expect((await decide(bilhete)).status).toBe(303)
  })

  it('receives access_denied if the program posts the form', async () => {
    await set(leaf.empresaId, 'agentes', 0)
    const query = new URLSearchParams({
      client_id: await newClient(app),
      redirect_uri: REDIRECT,
      state: 'xyz',
      code_challenge: newPkce().challenge,
    })
    const callback = await approve(`${app.url}/oauth/authorize?${query}`, `administrador-${leaf.empresaId}`)
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      error: 'access_denied',
      error_description: expect.stringMatching(/^[\x20-\x7e]+$/),
      state: 'xyz',
      iss: app.url,
    })
  })
})
