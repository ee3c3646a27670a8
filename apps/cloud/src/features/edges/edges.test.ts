import { X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Camera } from '@vigia/contracts/cameras'
import type { Ativado, Ativar, Edge } from '@vigia/contracts/edges'
import { createCsr } from '@vigia/link/pki/csr'
import { createSealKeyPair } from '@vigia/link/sealed'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Client, send } from '../../test/client.ts'
import { type Account, startTestApp, type TestApp } from '../../test/test-app.ts'

type Created = Edge & { edge_id: number; codigo: string; expira_em: string }

let app: TestApp
let conta: Account
let outra: Account

beforeAll(async () => {
  app = await startTestApp()
  conta = await app.account('Padaria')
  outra = await app.account('Farmácia')
})
afterAll(() => app.stop())

const box = async (codigo: string): Promise<Ativar> => ({
  codigo,
  csr: (await createCsr()).csrPem,
  chave_cifra: (await createSealKeyPair()).publicJwk,
})
const activate = <T = Ativado>(body: unknown, to: TestApp = app): Promise<Answer<T>> =>
  send<T>(`${to.url}/api/v1/edges/ativar`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const create = (by: Client = conta.admin) => by.expect<Created>(201, 'POST', '/api/v1/edges', { nome: 'Caixa' })

describe('registering', () => {
  it('gives an edge that waits, and its code once', async () => {
    const created = await create()
    expect(created).toMatchObject({ nome: 'Caixa', empresa_id: conta.empresaId, status: 'aguardando', cameras: 0 })
    expect(created.codigo).toMatch(/^\w{4}-\w{4}-\w{4}-\w{4}$/)
    expect(Date.parse(created.expira_em) - Date.now()).toBeGreaterThan(23 * 3_600_000)

    const shown = await conta.admin.expect<Edge>(200, 'GET', `/api/v1/edges/${created.id}`)
    expect(shown).not.toHaveProperty('codigo')
    const database = await readFile(join(app.dataDir, 'cloud/vigia.db-wal'), 'latin1')
    expect(database).not.toContain(created.codigo)
    expect(database).not.toContain(created.codigo.replaceAll('-', ''))
    expect(app.logText()).not.toContain(created.codigo)
  })

  it('serves the cameras that had no edge', async () => {
    const third = await app.account('Oficina')
    const body = { nome: 'Pátio', rtsp_url: 'rtsp://192.0.2.9/1' }
    const camera = await third.admin.expect<Camera>(201, 'POST', '/api/v1/cameras', body)
    expect(camera.edge_id).toBeNull()
    const edge = await create(third.admin)
    expect(edge.cameras).toBe(1)
    expect(await third.admin.expect(200, 'GET', `/api/v1/cameras/${camera.id}`)).toMatchObject({ edge_id: edge.id })
  })

  it('needs an Empresa from the operator, and one in scope from everybody', async () => {
    expect((await app.operator.send('POST', '/api/v1/edges', { nome: 'X' })).status).toBe(422)
    expect((await app.operator.send('POST', '/api/v1/edges', { nome: 'X', empresa_id: 999_999 })).status).toBe(404)
    const foreign = { nome: 'X', empresa_id: outra.empresaId }
    expect((await conta.admin.send('POST', '/api/v1/edges', foreign)).status).toBe(404)
    expect((await app.operator.send('POST', '/api/v1/edges', foreign)).status).toBe(201)
  })

  it('is not for a usuario, nor for strangers', async () => {
    const { id } = await create()
    expect((await conta.usuario.send('POST', '/api/v1/edges', { nome: 'X' })).status).toBe(403)
    expect((await conta.usuario.send('POST', `/api/v1/edges/${id}/codigo`)).status).toBe(403)
    expect((await conta.usuario.send('GET', `/api/v1/edges/${id}`)).status).toBe(200)
    expect((await send(`${app.url}/api/v1/edges`)).status).toBe(401)
    for (const [method, path] of [
      ['GET', `/api/v1/edges/${id}`],
      ['PATCH', `/api/v1/edges/${id}`],
      ['DELETE', `/api/v1/edges/${id}`],
      ['POST', `/api/v1/edges/${id}/codigo`],
      ['GET', `/api/v1/edges?empresa_id=${conta.empresaId}`],
    ] as const)
      expect((await outra.admin.send(method, path, method === 'PATCH' ? { nome: 'Meu' } : undefined)).status).toBe(404)
    const seen = await outra.admin.expect<Edge[]>(200, 'GET', '/api/v1/edges')
    expect(seen.map((edge) => edge.empresa_id)).not.toContain(conta.empresaId)
  })

  it('changes the name, and nothing else', async () => {
    const { id } = await create()
    const path = `/api/v1/edges/${id}`
    expect(await conta.admin.expect(200, 'PATCH', path, { nome: 'Caixa 2' })).toMatchObject({ nome: 'Caixa 2' })
    expect((await conta.admin.send('PATCH', path, { empresa_id: outra.empresaId })).status).toBe(422)
  })
})

describe('activation', () => {
  it('trades the code for a certificate of that edge, once', async () => {
    const { id, codigo } = await create()
    const { status, body } = await activate(await box(codigo.toLowerCase()))
    expect(status).toBe(200)
    expect(body).toMatchObject({ edge_id: id, mqtt: { url: 'mqtts://127.0.0.1:1' } })
    const certificate = new X509Certificate(body.certificado)
    expect(certificate.subject).toBe(`CN=edge-${id}`)
    expect(certificate.verify(new X509Certificate(body.ca).publicKey)).toBe(true)
    expect(await conta.admin.expect(200, 'GET', `/api/v1/edges/${id}`)).toMatchObject({ status: 'offline' })

    expect((await activate(await box(codigo))).status).toBe(409)
  })

  it('of two boxes with one code lets one in', async () => {
    const { codigo } = await create()
    const bodies = await Promise.all([box(codigo), box(codigo), box(codigo)])
    const statuses = (await Promise.all(bodies.map((body) => activate(body)))).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 409, 409])
  })

  it('keeps the code when the request is not valid', async () => {
    const { codigo } = await create()
    const good = await box(codigo)
    for (const bad of [
      { ...good, csr: 'not a request' },
      { ...good, chave_cifra: { ...good.chave_cifra, x: good.chave_cifra.y } },
      { codigo },
    ])
      expect((await activate(bad)).status).toBe(422)
    expect((await activate({ ...good, csr: 'x'.repeat(20_000) })).status).toBe(413)
    expect((await activate(good)).status).toBe(200)
  })

  it('takes a new code for another box, and the old code no more', async () => {
    const { id, codigo } = await create()
    const again = await conta.admin.expect<Created>(201, 'POST', `/api/v1/edges/${id}/codigo`)
    expect(again.edge_id).toBe(id)
    expect((await activate(await box(codigo))).status).toBe(401)
    expect((await activate(await box(again.codigo))).body.edge_id).toBe(id)
    const third = await conta.admin.expect<Created>(201, 'POST', `/api/v1/edges/${id}/codigo`)
    expect((await activate(await box(third.codigo))).status).toBe(200)
  })

  it('ends after 24 hours, and slows down who guesses', async () => {
    const own = await startTestApp()
    try {
      const { admin } = await own.account('Mercado')
      const { codigo } = await create(admin)
      own.clock.advance(24 * 3_600_000 + 1)
      const good = await box(codigo)
      expect((await activate(good, own)).status).toBe(401)
      const guess = { ...good, codigo: 'AAAA-AAAA-AAAA-AAAA' }
      const statuses: number[] = []
      for (let i = 0; i < 12; i += 1) statuses.push((await activate(guess, own)).status)
      expect(statuses).toContain(401)
      expect(statuses.at(-1)).toBe(429)
    } finally {
      await own.stop()
    }
  })
})

describe('removing', () => {
  it('gives the cameras to the Empresa’s other edge', async () => {
    const { admin } = await app.account('Escola')
    const [first, second] = [await create(admin), await create(admin)]
    const body = { nome: 'Portão', rtsp_url: 'rtsp://192.0.2.9/1', edge_id: first.id }
    const camera = await admin.expect<Camera>(201, 'POST', '/api/v1/cameras', body)
    expect(camera.edge_id).toBe(first.id)
    await admin.expect(204, 'DELETE', `/api/v1/edges/${first.id}`)
    expect((await admin.send('GET', `/api/v1/edges/${first.id}`)).status).toBe(404)
    expect(await admin.expect(200, 'GET', `/api/v1/cameras/${camera.id}`)).toMatchObject({ edge_id: second.id })
    await admin.expect(204, 'DELETE', `/api/v1/edges/${second.id}`)
    expect(await admin.expect(200, 'GET', `/api/v1/cameras/${camera.id}`)).toMatchObject({ edge_id: null })
  })
})

describe('the local edge of an all-in-one installation', () => {
  it('finds its code in a file that goes when it is used, and comes back for an edge that was lost', async () => {
    const own = await startTestApp({ VIGIA_EDGE_LOCAL: '1' })
    const file = join(own.dataDir, 'cloud/edge-local.codigo')
    const absent = async () => (await stat(file).catch(() => null)) === null
    try {
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      const [edge] = await own.operator.expect<Edge[]>(200, 'GET', '/api/v1/edges')
      expect(edge).toMatchObject({ empresa_id: null, status: 'aguardando' })
      const { admin } = await own.account('Vizinho')
      expect(await admin.expect(200, 'GET', '/api/v1/edges')).toEqual([])
      expect((await admin.send('GET', `/api/v1/edges/${edge?.id}`)).status).toBe(404)
      expect((await own.operator.send('DELETE', `/api/v1/edges/${edge?.id}`)).status).toBe(409)

      const codigo = (await readFile(file, 'utf8')).trim()
      expect((await activate(await box(codigo), own)).body.edge_id).toBe(edge?.id)
      await waitFor('the used code to go', absent)

      own.clock.advance(120_000)
      const next = await waitFor('a code for the lost edge', () => readFile(file, 'utf8').catch(() => null))
      expect(next.trim()).not.toBe(codigo)
      expect((await activate(await box(next.trim()), own)).status).toBe(200)
      await waitFor('the used code to go', absent)
    } finally {
      await own.stop()
    }
  })
})
