import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Chave, ChaveCriada } from '@vigia/contracts/chaves'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import { type Client, clientOf, send } from '../../../test/clients/client.ts'
import { openSse } from '../../../test/clients/sse.ts'
import { openWs } from '../../../test/clients/ws.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const own = fixture(() => app.account('Própria'))
const below = fixture(() => app.account('Abaixo', own.admin))
const foreign = fixture(() => app.account('Alheia'))

const PATH = '/api/v1/chaves'
const DAY = 86_400_000
let count = 0
const create = (by: Client, fields: object = {}) => {
  count += 1
  return by.expect<ChaveCriada>(201, 'POST', PATH, { nome: `ERP ${count}`, escopo: 'leitura', ...fields })
}
const keyClient = async (escopo: string, by = own.admin) => {
  const key = await create(by, { escopo })
  return { key, client: clientOf(app.url, key.chave) }
}

describe('keys', () => {
  it('are shown completely once, stored as a hash, and listed by their prefix', async () => {
    const created = await create(own.admin, { nome: 'Portaria', validade: '2099-12-31T23:59:59-03:00' })
    const { chave, ...shown } = created
    expect(shown).toEqual({
      id: created.id,
      nome: 'Portaria',
      escopo: 'leitura',
      empresa_id: own.empresaId,
      alcance: 'propria',
      inicio: chave.slice(0, 10),
      validade: '2100-01-01T02:59:59.000Z',
      criada_em: expect.stringMatching(/Z$/),
      usada_em: null,
    })
    expect(chave).toMatch(/^vigia_[A-Za-z0-9_-]{43}$/)
    expect((await own.admin.expect<Chave[]>(200, 'GET', PATH))[0]).toEqual(shown)
    const rows = await backstage.db.selectFrom('chaves').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(chave.slice(0, 20))
    expect(app.logText()).not.toContain(chave.slice(0, 20))
  })

  it('belong to one Empresa in scope', async () => {
    const ids = async (by: Client, query = '') =>
      (await by.expect<Chave[]>(200, 'GET', `${PATH}${query}`)).map(({ id }) => id)
    const { id } = await create(own.admin, { empresa_id: below.empresaId })
    expect([(await ids(own.admin))[0], await ids(below.admin), await ids(foreign.admin)]).toEqual([id, [id], []])
    expect(await ids(own.admin, `?empresa_id=${below.empresaId}`)).toEqual([id])
    const status = async (by: Client, fields: object) =>
      (await by.send('POST', PATH, { nome: 'X', escopo: 'leitura', ...fields })).status
    expect(await status(foreign.admin, { empresa_id: own.empresaId })).toBe(404)
    expect(await status(app.operator, { empresa_id: 999_999 })).toBe(404)
    for (const fields of [{ empresa_id: null }, {}]) expect(await status(app.operator, fields)).toBe(422)
    expect(await status(own.admin, { escopo: 'tudo' })).toBe(422)
    expect(await status(own.admin, { validade: '2020-01-01T00:00:00Z' })).toBe(422)
    expect(await status(own.usuario, {})).toBe(403)
    expect((await own.usuario.send('GET', PATH)).status).toBe(403)
    expect((await foreign.admin.send('DELETE', `${PATH}/${id}`)).status).toBe(404)
    expect((await own.usuario.send('DELETE', `${PATH}/${id}`)).status).toBe(403)
  })

  it('have a unique name in the Empresa', async () => {
    const account = await app.account('Cheia')
    await create(account.admin, { nome: 'Igual' })
    const taken = await account.admin.send('POST', PATH, { nome: 'Igual', escopo: 'leitura' })
    expect(taken).toMatchObject({ status: 409, body: { detail: expect.stringContaining('nome') } })
  })

  it('act as usuario or administrador of the Empresa, with its scope', async () => {
    const reads = (await keyClient('leitura')).client
    const writes = (await keyClient('escrita')).client
    const names = async (client: Client) =>
      (await client.expect<{ id: number }[]>(200, 'GET', '/api/v1/empresas')).map(({ id }) => id)
    expect([await names(reads), await names(writes)]).toEqual([[own.empresaId], [own.empresaId, below.empresaId]])
    const camera = { nome: 'Doca', rtsp_url: 'rtsp://192.0.2.1/1' }
    expect(await reads.send('POST', '/api/v1/cameras', camera)).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('escopo de escrita') },
    })
    expect(await writes.expect(201, 'POST', '/api/v1/cameras', camera)).toMatchObject({ empresa_id: own.empresaId })
    expect((await writes.send('POST', '/api/v1/cameras', { ...camera, empresa_id: foreign.empresaId })).status).toBe(
      404,
    )
  })

  it('are valid only in the Authorization header', async () => {
    const { key } = await keyClient('escrita')
    const status = async (path: string, headers: Record<string, string> = {}) =>
      (await send(`${app.url}${path}`, { headers })).status
    expect(await status('/api/v1/cameras', { authorization: `Bearer ${key.chave}` })).toBe(200)
    expect(await status('/api/v1/cameras', { cookie: `session=${key.chave}` })).toBe(401)
    expect(await status(`/api/v1/sse/alertas?token=${key.chave}`)).toBe(401)
    const changed = `${key.chave.slice(0, -1)}${key.chave.endsWith('A') ? 'B' : 'A'}`
    expect(await status('/api/v1/cameras', { authorization: `Bearer ${changed}` })).toBe(401)
  })

  it('expire at their end, and show their last use', async () => {
    const validade = new Date(app.clock.now() + DAY).toISOString()
    const { chave, id } = await create(own.admin, { validade })
    const client = clientOf(app.url, chave)
    await client.expect(200, 'GET', '/api/v1/cameras')
    const used = async () =>
      (await own.admin.expect<Chave[]>(200, 'GET', PATH)).find((one) => one.id === id)?.usada_em ?? null
    expect(Date.parse((await used()) ?? '')).toBeGreaterThan(app.clock.now() - 60_000)
    app.clock.advance(DAY)
    expect((await client.send('GET', '/api/v1/cameras')).status).toBe(401)
    app.clock.advance(-DAY)
  })

  it('are named in the audit log when they are created, used and deleted', async () => {
    const { key, client } = await keyClient('escrita')
    await client.expect(201, 'POST', '/api/v1/cameras', { nome: 'Pátio', rtsp_url: 'rtsp://192.0.2.2/1' })
    await own.admin.expect(204, 'DELETE', `${PATH}/${key.id}`)
    const log = await own.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?limit=4')
    expect(log.filter(({ objeto }) => objeto !== 'sessao')).toMatchObject([
      { acao: 'remover', objeto: 'chave', objeto_id: key.id, objeto_nome: key.nome, canal: 'api' },
      { acao: 'criar', objeto: 'camera', canal: 'chave', cliente: key.nome, username: null, usuario_id: null },
      { acao: 'criar', objeto: 'chave', objeto_id: key.id, empresa_id: own.empresaId },
      {},
    ])
    expect(JSON.stringify(log)).not.toContain(key.chave.slice(0, 20))
    const byKeys = await own.admin.expect<RegistroAuditoria[]>(200, 'GET', '/api/v1/auditoria?canal=chave&limit=1')
    expect(byKeys).toMatchObject([{ cliente: key.nome }])
  })

  it('end their open streams when they are deleted', async () => {
    const { key } = await keyClient('leitura')
    const headers = { authorization: `Bearer ${key.chave}` }
    const sse = await openSse(`${app.url}/api/v1/sse/alertas`, headers)
    const ws = await openWs(`${app.url}/api/v1/ws/alertas`, headers)
    if (!('closed' in ws)) throw new Error(`WebSocket refused: ${ws.status}`)
    await own.admin.expect(204, 'DELETE', `${PATH}/${key.id}`)
    await sse.ended
    expect((await ws.closed).code).toBe(4401)
    expect((await clientOf(app.url, key.chave).send('GET', '/api/v1/cameras')).status).toBe(401)
  })
})
