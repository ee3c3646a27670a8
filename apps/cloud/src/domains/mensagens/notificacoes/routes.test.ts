import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { type Account, startTestApp, type TestApp } from '../../../test/clouds/test-app.ts'
import { storedText } from '../../../test/stores/stored-store.ts'

let app: TestApp
let own: Account
let foreign: Account
beforeAll(async () => {
  app = await startTestApp()
  foreign = await app.account('Alheia')
})
beforeEach(async () => {
  own = await app.account('Própria')
})
afterAll(() => app.stop())

const path = '/api/v1/notificacoes'
const HOOK = 'https://gancho.exemplo.com.br/vigia?token=abc'
interface Canal {
  id: number
  segredo?: string | null
  atualizado_em: string
  [field: string]: unknown
}
interface Problems {
  detail: { loc: (string | number)[]; type: string; msg: string }[]
}

const create = (body: object = {}, by = own.admin) =>
  by.expect<Canal>(201, 'POST', path, { empresa_id: own.empresaId, destino: HOOK, ...body })
const read = (id: number, by = own.admin) => by.expect<Canal>(200, 'GET', `${path}/${id}`)
const patch = (id: number, body: object, by = own.admin) => by.expect<Canal>(200, 'PATCH', `${path}/${id}`, body)
const problems = async (method: string, where: string, body: object) => {
  const answer = await own.admin.send<Problems>(method, where, body)
  return [answer.status, ...answer.body.detail.map(({ loc, type }) => `${loc.join('.')} ${type}`)]
}
const status = async (by: Client, method: string, where: string, body?: object) =>
  (await by.send(method, where, body)).status
const cameraOf = async ({ admin }: Account) => {
  const body = { nome: 'Portão', rtsp_url: 'rtsp://127.0.0.1/1' }
  return (await admin.expect<{ id: number }>(201, 'POST', '/api/v1/cameras', body)).id
}

describe('create', () => {
  it('creates a webhook by default and shows its secret once', async () => {
    const { segredo, ...canal } = await own.admin.expect<Canal>(201, 'POST', path, { empresa_id: own.empresaId })
    expect(canal).toEqual({
      id: expect.any(Number),
      empresa_id: own.empresaId,
      nome: '',
      tipo: 'webhook',
      destino: '',
      destinatarios: [],
      ativo: true,
      camera_id: null,
      camera_ids: [],
      tipos_evento: [],
      agenda: {},
      avisar_quedas: true,
      gravidade_min: 'baixa',
      certeza_min: 'baixa',
      com_credenciais: false,
      agrupar: false,
      intervalo_s: 120,
      continuacao: 'intervalo',
      resumo_hora: null,
      politica: 'aguardar',
      placas: true,
      entregas: { pendentes: 0, entregues: 0, desistidas: 0, ultimo_erro: null, ultimo_erro_em: null },
      criado_em: expect.stringMatching(/Z$/),
      atualizado_em: canal.criado_em,
    })
    expect(segredo).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(await read(canal.id, own.usuario)).toEqual(canal)
    expect((await create()).segredo).not.toBe(segredo)
  })

  it('stores the given fields unchanged', async () => {
    const sent = {
      tipo: 'email',
      destino: 'guarita@exemplo.com.br',
      destinatarios: ['sindica@exemplo.com.br'],
      ativo: false,
      camera_id: await cameraOf(own),
      tipos_evento: ['fogo', 'fumaca'],
      agenda: { inicio: 18, fim: 6, dias: [0, 6] },
      avisar_quedas: false,
      gravidade_min: 'media',
      certeza_min: 'alta',
      agrupar: false,
      intervalo_s: 0,
      continuacao: 'fim',
      resumo_hora: 23,
      politica: 'avisar',
      placas: true,
    }
    const canal = await create(sent)
    expect(canal).toMatchObject({ ...sent, segredo: null })
    expect(await read(canal.id)).toMatchObject(sent)
    expect(await create({ agenda: { inicio: 8, fim: 18.5 } })).toMatchObject({ agenda: { inicio: 8, fim: 18.5 } })
    expect(await create({ tipo: 'whatsapp', destino: '+5511987654321' })).toMatchObject({ segredo: null })
  })

  it.each([
    [{ tipo: 'sms' }, 'body.tipo enum'],
    [{ destino: 'ftp://gancho.exemplo.com.br/' }, 'body.destino value_error'],
    [{ destino: 'gancho.exemplo.com.br' }, 'body.destino value_error'],
    [{ destino: 'https://ana:senha@gancho.exemplo.com.br/' }, 'body.destino value_error'],
    [{ destino: 'https://gancho.exemplo.com.br/\r\nX: y' }, 'body.destino string_pattern_mismatch'],
    [{ destinatarios: [HOOK, ''] }, 'body.destinatarios.1 string_too_short'],
    [{ destinatarios: [HOOK, 'nada'] }, 'body.destinatarios.1 value_error'],
    [{ tipo: 'email', destino: 'a@exemplo.com.br, b@exemplo.com.br' }, 'body.destino value_error'],
    [{ tipo: 'whatsapp', destino: '11987654321' }, 'body.destino value_error'],
    [{ tipos_evento: ['nada'] }, 'body.tipos_evento.0 enum'],
    [{ tipos_evento: ['fogo', 'fogo'] }, 'body.tipos_evento value_error'],
    [{ agenda: { inicio: 24, fim: 3 } }, 'body.agenda.inicio less_than_equal'],
    [{ agenda: { inicio: 8 } }, 'body.agenda.fim missing'],
    [{ agenda: { inicio: 8.25, fim: 9 } }, 'body.agenda.inicio value_error'],
    [{ agenda: { inicio: 8, fim: 9, hora: 1 } }, 'body.agenda.hora extra_forbidden'],
    [{ ativo: 'sim' }, 'body.ativo bool_type'],
    [{ avisar_quedas: 1 }, 'body.avisar_quedas bool_type'],
    [{ gravidade_min: 'grave' }, 'body.gravidade_min enum'],
    [{ certeza_min: 'media' }, 'body.certeza_min enum'],
    [{ agrupar: null }, 'body.agrupar bool_type'],
    [{ intervalo_s: 3601 }, 'body.intervalo_s less_than_equal'],
    [{ resumo_hora: 24 }, 'body.resumo_hora less_than_equal'],
    [{ politica: 'nunca' }, 'body.politica enum'],
    [{ placas: 'sim' }, 'body.placas bool_type'],
    [{ empresa_id: undefined }, 'body.empresa_id missing'],
  ])('refuses %j', async (field, problem) => {
    expect(await problems('POST', path, { empresa_id: own.empresaId, destino: HOOK, ...field })).toEqual([422, problem])
    expect(await own.admin.expect(200, 'GET', path)).toEqual([])
  })

  it('refuses an address that the delivery would never allow', async () => {
    const { empresaId: empresa_id } = own
    const private_ = ['http://127.0.0.1:8080/x', 'http://[::1]/', 'http://10.0.0.7/', 'http://169.254.169.254/latest']
    for (const destino of [...private_, 'https://localhost/x', 'http://nvr.local/', 'http://metadata.google.internal/'])
      expect([destino, ...(await problems('POST', path, { empresa_id, destino }))]).toEqual([
        destino,
        422,
        'body.destino value_error',
      ])
    const destinatarios = [HOOK, 'http://192.168.0.9/']
    expect(await problems('POST', path, { empresa_id, destinatarios })).toEqual([
      422,
      'body.destinatarios.1 value_error',
    ])
    expect(await problems('POST', path, { empresa_id, url: HOOK })).toEqual([422, 'body.url extra_forbidden'])
    const { id } = await create()
    expect(await problems('PATCH', `${path}/${id}`, { destino: 'http://10.0.0.7/' })).toEqual([
      422,
      'body.destino value_error',
    ])
    expect((await read(id)).destino).toBe(HOOK)
  })

  it('accepts only a camera of that Empresa', async () => {
    const child = await app.account('Abaixo', own.admin)
    const [mine, below, alien] = await Promise.all([own, child, foreign].map(cameraOf))
    expect(await create({ camera_id: mine })).toMatchObject({ camera_id: mine })
    const body = { empresa_id: own.empresaId, destino: HOOK }
    expect(await problems('POST', path, { ...body, camera_id: below })).toEqual([422, 'body.camera_id value_error'])
    for (const camera_id of [alien, 999_999])
      expect(await status(own.admin, 'POST', path, { ...body, camera_id })).toBe(404)
    expect(await create({ empresa_id: child.empresaId, camera_id: below })).toMatchObject({ camera_id: below })
  })
})

describe('access', () => {
  it('gives the papel usuario read access only', async () => {
    const { id } = await create()
    expect(await own.usuario.expect<Canal[]>(200, 'GET', path)).toMatchObject([{ id }])
    for (const [method, where, body] of [
      ['POST', path, { empresa_id: own.empresaId }],
      ['PATCH', `${path}/${id}`, { ativo: false }],
      ['DELETE', `${path}/${id}`],
      ['POST', `${path}/${id}/teste`],
      ['POST', `${path}/${id}/segredo`],
    ] as const)
      expect([method, where, await status(own.usuario, method, where, body)]).toEqual([method, where, 403])
    expect(await read(id)).toMatchObject({ ativo: true })
  })

  it('answers for canais out of scope as for missing ones', async () => {
    const { id } = await create({ empresa_id: foreign.empresaId }, foreign.admin)
    const missing = await own.admin.send('GET', `${path}/999999`)
    expect(missing.status).toBe(404)
    for (const [method, where, body] of [
      ['GET', ''],
      ['PATCH', '', { ativo: false }],
      ['DELETE', ''],
      ['POST', '/teste'],
      ['POST', '/segredo'],
    ] as const) {
      const answer = await own.admin.send(method, `${path}/${id}${where}`, body)
      expect([method, where, answer.status, answer.body]).toEqual([method, where, 404, missing.body])
    }
    expect(await own.admin.expect(200, 'GET', path)).toEqual([])
    for (const empresa of [foreign.empresaId, 999_999]) {
      expect(await status(own.admin, 'GET', `${path}?empresa_id=${empresa}`)).toBe(404)
      expect(await status(own.admin, 'POST', path, { empresa_id: empresa, destino: HOOK })).toBe(404)
    }
    expect(await status(app.operator, 'POST', path, { empresa_id: 999_999, destino: HOOK })).toBe(404)
    expect(await read(id, foreign.admin)).toMatchObject({ ativo: true })
  })

  it('includes descendant accounts, and all for the operator', async () => {
    const child = await app.account('Abaixo', own.admin)
    const mine = await create()
    const below = await create({ empresa_id: child.empresaId })
    const list = async (by: Client, query = '') =>
      (await by.expect<Canal[]>(200, 'GET', `${path}${query}`)).map(({ id }) => id)
    expect(await list(own.admin)).toEqual([mine.id, below.id])
    expect(await list(own.admin, `?empresa_id=${child.empresaId}`)).toEqual([below.id])
    expect(await list(own.usuario)).toEqual([mine.id])
    expect(await list(child.admin)).toEqual([below.id])
    expect(await list(app.operator, `?empresa_id=${own.empresaId}`)).toEqual([mine.id])
    expect(await status(child.admin, 'GET', `${path}/${mine.id}`)).toBe(404)
    await patch(below.id, { ativo: false })
    await patch(below.id, { ativo: true }, app.operator)
    expect(await status(app.operator, 'DELETE', `${path}/${below.id}`)).toBe(204)
  })
})

describe('patch', () => {
  it('changes only the given fields; null clears destinations and filters', async () => {
    const camera_id = await cameraOf(own)
    const { segredo: _, ...before } = await create({ camera_id, tipos_evento: ['fogo'], agenda: { inicio: 1, fim: 2 } })
    app.clock.advance(1000)
    const after = await patch(before.id, { ativo: false, destinatarios: ['https://outro.exemplo.com.br/'] })
    const { atualizado_em, ...rest } = after
    expect({ ...rest, atualizado_em: before.atualizado_em }).toEqual({
      ...before,
      ativo: false,
      destinatarios: ['https://outro.exemplo.com.br/'],
    })
    expect(Date.parse(atualizado_em)).toBeGreaterThan(Date.parse(before.atualizado_em))
    expect(await patch(before.id, { empresa_id: null, tipo: null, ativo: null, avisar_quedas: null })).toEqual(after)
    expect(await patch(before.id, {})).toEqual(after)
    expect(await patch(before.id, { avisar_quedas: false })).toMatchObject({ avisar_quedas: false })
    expect(await patch(before.id, { resumo_hora: 7, agrupar: null })).toMatchObject({ resumo_hora: 7, agrupar: false })
    const filters = { camera_id: null, tipos_evento: [], agenda: {}, resumo_hora: null }
    const nothing = { destino: '', destinatarios: [], ...filters }
    const nulls = Object.fromEntries(Object.keys(nothing).map((field) => [field, null]))
    expect(await patch(before.id, nulls)).toMatchObject(nothing)
  })

  it('groups by default what people read, also after a change of the tipo', async () => {
    const { id } = await create()
    const destino = 'guarita@exemplo.com.br'
    expect(await create({ tipo: 'email', destino })).toMatchObject({ agrupar: true })
    expect(await patch(id, { tipo: 'email', destino })).toMatchObject({ agrupar: true })
    expect(await patch(id, { tipo: 'webhook', destino: HOOK, agrupar: true })).toMatchObject({ agrupar: true })
    expect(await patch(id, { tipo: 'webhook' })).toMatchObject({ agrupar: true })
  })

  it('refuses a change that makes the canal inconsistent', async () => {
    const { id } = await create()
    const where = `${path}/${id}`
    expect(await problems('PATCH', where, { tipo: 'email' })).toEqual([422, 'body.destino value_error'])
    expect(await problems('PATCH', where, { destino: 'a@exemplo.com.br' })).toEqual([422, 'body.destino value_error'])
    expect(await problems('PATCH', where, { destinatarios: ['x', HOOK, 'y'] })).toEqual([
      422,
      'body.destinatarios.0 value_error',
      'body.destinatarios.2 value_error',
    ])
    expect(await problems('PATCH', where, { id: 2, segredo: 'whsec_x' })).toEqual([
      422,
      'body.id extra_forbidden',
      'body.segredo extra_forbidden',
    ])
    expect(await problems('PATCH', where, { agenda: { fim: 2 } })).toEqual([422, 'body.agenda.inicio missing'])
    expect(await read(id)).toMatchObject({ tipo: 'webhook', destino: HOOK })
    expect(await patch(id, { tipo: 'email', destino: 'a@exemplo.com.br' })).toMatchObject({ tipo: 'email' })
  })

  it('moves a canal to another Empresa in scope if its camera allows it', async () => {
    const child = await app.account('Abaixo', own.admin)
    const [mine, below] = await Promise.all([own, child].map(cameraOf))
    const { id } = await create({ camera_id: mine })
    const where = `${path}/${id}`
    const empresa_id = child.empresaId
    expect(await problems('PATCH', where, { empresa_id })).toEqual([422, 'body.camera_id value_error'])
    expect(await problems('PATCH', where, { camera_id: below })).toEqual([422, 'body.camera_id value_error'])
    for (const alien of [foreign.empresaId, 999_999])
      expect(await status(own.admin, 'PATCH', where, { empresa_id: alien, camera_id: null })).toBe(404)
    expect(await status(own.admin, 'PATCH', where, { camera_id: await cameraOf(foreign) })).toBe(404)
    expect(await patch(id, { empresa_id, camera_id: below })).toMatchObject({ empresa_id, camera_id: below })
    expect(await status(own.usuario, 'GET', where)).toBe(404)
    expect(await read(id, child.usuario)).toMatchObject({ id })
  })

  it('keeps both of two concurrent changes', async () => {
    const { id } = await create()
    await Promise.all([
      patch(id, { ativo: false }),
      patch(id, { tipos_evento: ['epi'] }),
      patch(id, { agenda: { inicio: 1, fim: 2 } }),
    ])
    expect(await read(id)).toMatchObject({ ativo: false, tipos_evento: ['epi'], agenda: { inicio: 1, fim: 2 } })
  })
})

describe('the signing secret', () => {
  it('is shown only by a rotation', async () => {
    const { id, segredo } = await create()
    const rotated = await own.admin.expect<{ segredo: string }>(200, 'POST', `${path}/${id}/segredo`)
    expect(rotated).toEqual({ segredo: expect.stringMatching(/^whsec_/) })
    expect(rotated.segredo).not.toBe(segredo)
    const others = [await read(id), await patch(id, { ativo: false }), await own.admin.expect(200, 'GET', path)]
    expect(JSON.stringify(others)).not.toContain('whsec_')
  })

  it('exists only for webhooks', async () => {
    const { id } = await create({ tipo: 'email', destino: 'a@exemplo.com.br' })
    expect(await own.admin.send('POST', `${path}/${id}/segredo`)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('webhook') },
    })
    expect(await patch(id, { tipo: 'webhook', destino: HOOK })).not.toHaveProperty('segredo')
    await own.admin.expect(200, 'POST', `${path}/${id}/segredo`)
    await patch(id, { tipo: 'email', destino: 'a@exemplo.com.br' })
    expect(await status(own.admin, 'POST', `${path}/${id}/segredo`)).toBe(409)
  })

  it('is stored and logged nowhere in plain text', async () => {
    const { id, segredo } = await create()
    const rotated = await own.admin.expect<{ segredo: string }>(200, 'POST', `${path}/${id}/segredo`)
    const stored = (await storedText(app.dataDir)) + app.logText()
    expect(stored).toContain('gancho.exemplo.com.br')
    for (const secret of [segredo, rotated.segredo]) {
      const base64 = String(secret).slice('whsec_'.length)
      expect(stored).not.toContain(base64)
      expect(stored).not.toContain(Buffer.from(base64, 'base64').toString('latin1'))
    }
    expect(app.logText()).not.toContain('token=abc')
  })
})

it('deletes once', async () => {
  const { id } = await create()
  expect(await status(own.admin, 'DELETE', `${path}/${id}`)).toBe(204)
  expect(await status(own.admin, 'DELETE', `${path}/${id}`)).toBe(404)
  expect(await status(own.admin, 'GET', `${path}/${id}`)).toBe(404)
})

it('is removed with its camera', async () => {
  const camera_id = await cameraOf(own)
  const { id } = await create({ camera_id })
  await own.admin.expect(204, 'DELETE', `/api/v1/cameras/${camera_id}`)
  expect(await status(own.admin, 'GET', `${path}/${id}`)).toBe(404)
})
