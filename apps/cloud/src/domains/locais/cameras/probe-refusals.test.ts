import type { Edge } from '@vigia/contracts/edges'
import { createSealKeyPair } from '@vigia/link/sealed'
import { fixture } from '@vigia/testing/fixture'
import { describe, expect, it } from 'vitest'
import type { Client } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'

/** Refusals before any command to an edge; no edge is connected in these tests. */
const app = fixture(() => startTestApp({ VIGIA_SONDAGEM_PERMITIR: '127.0.0.9/32' }))
const own = fixture(() => app.account('Própria'))
const foreign = fixture(() => app.account('Alheia'))
const backstage = fixture(() => openBackstage(app))

/** A camera whose edge is online according to the database. */
async function seenCamera(empresaId: number, ultimo_frame_em: number | null): Promise<number> {
  const { cameraId, edgeId } = await backstage.camera(empresaId)
  const chave_cifra_json = JSON.stringify((await createSealKeyPair()).publicJwk)
  const there = { presente: 1, visto_em: app.clock.now(), chave_cifra_json } as const
  await backstage.db.updateTable('edges').set(there).where('id', '=', edgeId).execute()
  const relato = { relato_estado: 'online', ultimo_frame_em } as const
  await backstage.db.updateTable('cameras').set(relato).where('id', '=', cameraId).execute()
  return cameraId
}

const probes = [
  ['/api/v1/cameras/testar-conexao', { portas: [554] }],
  [
    '/api/v1/gravadores/descobrir',
    { fabricante: 'intelbras', porta: 554, usuario: 'ana', senha: 'segredo', num_canais: 2 },
  ],
] as const
type Problems = { detail: string | { loc: (string | number)[]; type: string }[] }

describe.each(probes)('%s', (path, fields) => {
  const probe = (by: Client, change: object = {}) =>
    by.send<Problems>('POST', path, { ...fields, host: '127.0.0.9', empresa_id: own.empresaId, ...change })

  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '[::1]',
    '::ffff:127.0.0.1',
    '169.254.1.1',
    'fe80::1%eth0',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    'localhost',
    'dvr.localhost.',
  ])('refuses %s', async (host) => {
    const answer = await probe(own.admin, { host })
    expect([answer.status, answer.body]).toMatchObject([422, { detail: [{ loc: ['body', 'host'] }] }])
  })

  it('requires an administrador with the Empresa in scope', async () => {
    expect((await probe(own.usuario)).status).toBe(403)
    expect((await probe(foreign.admin)).status).toBe(404)
    expect((await probe(app.operator, { empresa_id: 999_999 })).status).toBe(404)
    // Scope is checked before the host.
    expect((await probe(foreign.admin, { host: '127.0.0.1' })).status).toBe(404)
  })

  it('explains why no edge can probe', async () => {
    const alone = await probe(own.admin)
    expect([alone.status, alone.body]).toEqual([503, { detail: expect.stringContaining('Nenhuma caixa') }])
    const account = await app.account('Com edge')
    const edge = await account.admin.expect<Edge>(201, 'POST', '/api/v1/edges', { nome: 'Caixa' })
    const away = await probe(account.admin, { empresa_id: account.empresaId })
    expect([away.status, away.body]).toEqual([503, { detail: expect.stringContaining('sem contato') }])
    expect((await probe(own.admin, { edge_id: edge.id })).status).toBe(404)
    expect((await probe(own.admin, { edge_id: 999_999 })).status).toBe(404)
    const other = await probe(app.operator, { edge_id: edge.id })
    expect([other.status, other.body]).toMatchObject([422, { detail: [{ loc: ['body', 'edge_id'] }] }])
    expect((await probe(account.admin, { empresa_id: account.empresaId, edge_id: edge.id })).status).toBe(503)
  })

  it('counts against the limits of the Empresa and the login until they are used up', async () => {
    const account = await app.account('Impaciente')
    await seenCamera(account.empresaId, null)
    const answers: number[] = []
    for (let i = 0; i < 61; i += 1) answers.push((await probe(account.admin, { empresa_id: account.empresaId })).status)
    expect(new Set(answers.slice(0, 60))).toEqual(new Set([503]))
    const last = await probe(account.admin, { empresa_id: account.empresaId })
    expect([last.status, Number(last.headers.get('retry-after')) > 0]).toEqual([429, true])
    // A refused host is not counted, and other logins are not affected.
    expect((await probe(account.admin, { empresa_id: account.empresaId, host: '127.0.0.1' })).status).toBe(422)
    expect((await probe(own.admin)).status).toBe(503)
    // The limit of the Empresa applies to all its logins.
    expect((await probe(app.operator, { empresa_id: account.empresaId })).status).toBe(429)
  })
})

it('uses the local edge for the operator without an Empresa', async () => {
  const path = '/api/v1/cameras/testar-conexao'
  const answer = await app.operator.send<Problems>('POST', path, { host: '127.0.0.9', portas: [554] })
  expect([answer.status, answer.body]).toEqual([503, { detail: expect.stringContaining('Nenhuma caixa') }])
  const twice = await own.admin.send<Problems>('POST', path, { host: '127.0.0.9', portas: [554, 554] })
  expect([twice.status, twice.body]).toMatchObject([422, { detail: [{ loc: ['body', 'portas'] }] }])
})

describe('a snapshot', () => {
  const snapshot = (by: Client, id: number) => by.send('GET', `/api/v1/cameras/${id}/snapshot`)
  it('is missing for a camera that is offline or out of scope', async () => {
    const id = await seenCamera(own.empresaId, app.clock.now() - 16_000)
    const offline = await snapshot(own.usuario, id)
    expect([offline.status, offline.body]).toEqual([404, { detail: expect.stringContaining('não está online') }])
    const missing = await snapshot(foreign.admin, 999_999)
    expect(await snapshot(foreign.admin, id)).toMatchObject({ status: 404, body: missing.body })
  })

  it('fails while the edge is unreachable', async () => {
    const answer = await snapshot(own.usuario, await seenCamera(own.empresaId, app.clock.now()))
    expect([answer.status, answer.body]).toEqual([503, { detail: expect.any(String) }])
  })
})
