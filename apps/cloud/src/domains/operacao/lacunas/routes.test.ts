import type { LacunaVista } from '@vigia/contracts/eventos'
import { fixture } from '@vigia/testing/fixture'
import { beforeAll, describe, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import type { Client } from '../../../test/clients/client.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { startTestApp } from '../../../test/clouds/test-app.ts'
import { batch, candidate, gap, type HeldRecord, seedOneCamera } from '../../../test/records/records.ts'
import { ingestBatch } from '../ingestao/ingest-batch.ts'

let second: number

const arrive = (edgeId: number, records: Parameters<typeof batch>[0]) =>
  ingestBatch(
    { db: backstage.db, clock: app.clock, media: createFileMediaStore({ dir: `${app.dataDir}/cloud/media` }) },
    edgeId,
    batch(records),
  )
const overtaking = (record: HeldRecord, base: number, desde: number) => ({ ...record, base, desde })

const app = fixture(startTestApp)
const backstage = fixture(() => openBackstage(app))
const conta = fixture(() => app.account('Padaria'))
const outra = fixture(() => app.account('Farmácia'))
const origin = fixture(() => backstage.camera(conta.empresaId))
const foreign = fixture(() => backstage.camera(outra.empresaId))

beforeAll(async () => {
  second = await seedOneCamera(backstage.db, conta.empresaId, origin.edgeId)
  const { edgeId, cameraId } = origin
  await arrive(edgeId, [
    gap(cameraId, 1, 3),
    candidate(cameraId, 6),
    overtaking(candidate(cameraId, 9), 7, 9),
    candidate(second, 1),
  ])
  await arrive(edgeId, [{ ...candidate(second, 2, { crop: Buffer.from('no picture') }) }])
  await arrive(foreign.edgeId, [candidate(foreign.cameraId, 2)])
})

const list = (by: Client, query = '') => by.expect<LacunaVista[]>(200, 'GET', `/api/v1/lacunas${query}`)
const ranges = (lacunas: LacunaVista[]) => lacunas.map(({ de_seq, ate_seq, motivo }) => [de_seq, ate_seq, motivo])

describe('a lacuna', () => {
  it('is listed newest first, with the reason as a code and as a sentence', async () => {
    const lacunas = await list(conta.usuario)
    expect(ranges(lacunas)).toEqual([
      [2, 2, 'recusado'],
      [7, 8, 'a_caminho'],
      [4, 5, 'salto_de_sequencia'],
      [1, 3, 'cota_de_disco'],
    ])
    expect(lacunas[3]).toMatchObject({
      edge_id: origin.edgeId,
      camera_id: origin.cameraId,
      ocorrido_de: '2026-09-21T14:13:20.000Z',
      ocorrido_ate: '2026-09-21T14:13:21.000Z',
      motivo_texto: expect.stringContaining('disco da caixa encheu'),
    })
    expect(lacunas[1]).toMatchObject({ ocorrido_de: null, motivo_texto: expect.stringContaining('enviando') })
    expect(new Set(lacunas.map(({ motivo_texto }) => motivo_texto)).size).toBe(4)
  })

  it('is narrowed by camera, edge and Empresa, and paged', async () => {
    expect(ranges(await list(conta.admin, `?camera_id=${second}`))).toEqual([[2, 2, 'recusado']])
    expect(await list(conta.admin, `?edge_id=${origin.edgeId}&empresa_id=${conta.empresaId}`)).toHaveLength(4)
    const page = await conta.admin.send<LacunaVista[]>('GET', '/api/v1/lacunas?limit=2&offset=1')
    expect(ranges(page.body)).toEqual([
      [7, 8, 'a_caminho'],
      [4, 5, 'salto_de_sequencia'],
    ])
    expect(page.headers.get('x-total-count')).toBe('4')
    const next = /^<(\/api\/v1\/lacunas\?limit=2&cursor=[\w-]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1]
    expect(ranges(await conta.admin.expect<LacunaVista[]>(200, 'GET', next ?? ''))).toEqual([[1, 3, 'cota_de_disco']])
    const last = await conta.admin.send('GET', '/api/v1/lacunas?limit=2&offset=2')
    expect(last.headers.get('link')).toBeNull()
  })
})

it.each(['limit=0', 'limit=201', 'offset=-1', 'camera_id=x', 'edge_id=0'])('refuses %s', async (query) => {
  const answer = await conta.admin.send<{ detail: { loc: string[] }[] }>('GET', `/api/v1/lacunas?${query}`)
  expect(answer.status).toBe(422)
  expect(answer.body.detail[0]?.loc).toEqual(['query', query.split('=')[0]])
})

describe('another account', () => {
  it('sees only its own lacunas, and gets a 404 for an Empresa out of scope', async () => {
    expect(ranges(await list(outra.admin))).toEqual([[1, 1, 'salto_de_sequencia']])
    expect(await list(outra.admin, `?camera_id=${origin.cameraId}`)).toEqual([])
    expect(await list(outra.admin, `?edge_id=${origin.edgeId}`)).toEqual([])
    expect((await outra.admin.send('GET', `/api/v1/lacunas?empresa_id=${conta.empresaId}`)).status).toBe(404)
  })

  it('does not limit the operator, who also sees the lacunas of a removed camera', async () => {
    await backstage.db.deleteFrom('cameras').where('id', '=', second).execute()
    expect(await list(app.operator)).toHaveLength(5)
    expect(await list(conta.admin)).toHaveLength(3)
  })
})

describe('an expected number', () => {
  const reasons = async (cameraId: number) =>
    (await list(app.operator, `?camera_id=${cameraId}`)).map(({ motivo }) => motivo)

  it('becomes a jump when its camera is removed', async () => {
    const camera = await seedOneCamera(backstage.db, conta.empresaId, origin.edgeId)
    await arrive(origin.edgeId, [overtaking(candidate(camera, 3), 1, 3)])
    expect(await reasons(camera)).toEqual(['a_caminho'])
    await conta.admin.expect(204, 'DELETE', `/api/v1/cameras/${camera}`)
    expect(await reasons(camera)).toEqual(['salto_de_sequencia'])
  })

  it('becomes a jump when its edge is removed', async () => {
    expect(await reasons(origin.cameraId)).toContain('a_caminho')
    await conta.admin.expect(204, 'DELETE', `/api/v1/edges/${origin.edgeId}`)
    expect(await reasons(origin.cameraId)).toEqual(['salto_de_sequencia', 'salto_de_sequencia', 'cota_de_disco'])
  })
})
