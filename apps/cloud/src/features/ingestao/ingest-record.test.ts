import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileMediaStore } from '../../adapters/media-store/file-media-store.ts'
import { type Database, openDatabase } from '../../db/open.ts'
import { candidate, gap, JPEG, seedCamera, seedOneCamera } from '../../test/records.ts'
import { activateEdge } from '../edges/store.ts'
import { type IngestDeps, ingestRecord } from './ingest-record.ts'

let dir: string
let db: Database
let deps: IngestDeps
let edgeId: number
let cameraId: number
let empresaId: number

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vigia-ingest-'))
  db = await openDatabase(join(dir, 'vigia.db'))
  const clock = { now: () => Date.UTC(2026, 10, 21, 12) }
  deps = { db, clock, media: createFileMediaStore({ dir: join(dir, 'media') }) }
  ;({ edgeId, cameraId, empresaId } = await seedCamera(db))
})
afterEach(async () => {
  await db.destroy()
  await rm(dir, { recursive: true, force: true })
})

const events = () => db.selectFrom('eventos').selectAll().orderBy('id').execute()
const log = () => db.selectFrom('alertas').select(['evento_id', 'tipo']).orderBy('seq').execute()
const gaps = () => db.selectFrom('lacunas').select(['de_seq', 'ate_seq', 'motivo']).orderBy('de_seq').execute()
const files = async () =>
  (await readdir(join(dir, 'media'), { recursive: true }).catch(() => [])).filter((name) => name.endsWith('.jpg'))

describe('a candidate', () => {
  it('becomes one event with its pictures, its sequence and its line in the alert log', async () => {
    const { id, payload } = candidate(cameraId, 1, { quadro: JPEG })
    expect(await ingestRecord(deps, edgeId, payload)).toMatchObject({ id, resultado: 'gravado', motivo: null })

    const [event] = await events()
    expect(event).toMatchObject({
      uuid: id,
      empresa_id: empresaId,
      camera_nome: 'Portão',
      tipo: 'invasao',
      gravidade: 'alta',
      ocorrido_em: 1_790_000_000_001,
      crop_path: `eventos/2026/11/21/${id}-crop.jpg`,
      quadro_path: `eventos/2026/11/21/${id}-quadro.jpg`,
      instrucoes_json: '["ignore animais"]',
      veredito_decisao: null,
    })
    expect(JSON.parse(event?.relogio_json ?? '')).toEqual({ desvio_ms: 12, sincronizado: true })
    expect(await deps.media.read(event?.crop_path ?? '')).toEqual(JPEG)
    expect(await log()).toEqual([{ evento_id: event?.id, tipo: 'evento' }])
    expect(await gaps()).toEqual([])
  })

  it('that comes twice, also at once, is stored once and answered each time', async () => {
    const { payload } = candidate(cameraId, 1)
    const answers = await Promise.all([1, 2, 3].map(() => ingestRecord(deps, edgeId, payload)))
    answers.push(await ingestRecord(deps, edgeId, payload))
    expect(answers.map((answer) => answer?.resultado).sort()).toEqual(['gravado', 'repetido', 'repetido', 'repetido'])
    expect(await events()).toHaveLength(1)
    expect(await log()).toHaveLength(1)
  })

  it('that comes again under the same id does not replace the picture', async () => {
    const first = candidate(cameraId, 1)
    await ingestRecord(deps, edgeId, first.payload)
    const other = Buffer.from(JPEG)
    other.writeUInt8(0x11, 30)
    const again = candidate(cameraId, 1, { crop: other, change: { id: first.id.toUpperCase() } })
    expect(await ingestRecord(deps, edgeId, again.payload)).toMatchObject({ resultado: 'repetido', id: again.id })
    expect(await deps.media.read((await events())[0]?.crop_path ?? '')).toEqual(JPEG)
  })

  it('is still repetido when its camera is gone', async () => {
    const { payload } = candidate(cameraId, 1)
    await ingestRecord(deps, edgeId, payload)
    await db.deleteFrom('cameras').execute()
    expect(await ingestRecord(deps, edgeId, payload)).toMatchObject({ resultado: 'repetido' })
  })

  it('is stored without pictures when the edge had to drop them', async () => {
    const { payload } = candidate(cameraId, 1, { crop: null })
    expect(await ingestRecord(deps, edgeId, payload)).toMatchObject({ resultado: 'gravado' })
    expect((await events())[0]).toMatchObject({ crop_path: null, detalhes_json: '{"midia_descartada":true}' })
  })
})

describe('what an edge may not send', () => {
  it('an event of another edge’s camera', async () => {
    const other = await seedCamera(db)
    const answer = await ingestRecord(deps, edgeId, candidate(other.cameraId, 1).payload)
    expect(answer).toMatchObject({ resultado: 'recusado', motivo: expect.stringContaining('câmera') })
    expect(await events()).toEqual([])
    expect(await files()).toEqual([])
  })

  it('an event under the id of another edge’s event', async () => {
    const other = await seedCamera(db)
    const { id, payload } = candidate(cameraId, 1)
    await ingestRecord(deps, edgeId, payload)
    const forged = candidate(other.cameraId, 1, { change: { id } })
    expect(await ingestRecord(deps, other.edgeId, forged.payload)).toMatchObject({ resultado: 'recusado' })
  })

  it('anything, before it is activated or after it was removed', async () => {
    await db.updateTable('edges').set({ ativado_em: null }).execute()
    expect(await ingestRecord(deps, edgeId, candidate(cameraId, 1).payload)).toMatchObject({ resultado: 'recusado' })
    expect(await ingestRecord(deps, 999, candidate(cameraId, 1).payload)).toMatchObject({ resultado: 'recusado' })
  })

  it.each([
    ['a file that is no JPEG', { crop: Buffer.from('GIF89a…') }],
    ['an instant that no calendar has', { change: { ocorrido_em: Number.MAX_SAFE_INTEGER } }],
  ])('%s', async (_what, options) => {
    const answer = await ingestRecord(deps, edgeId, candidate(cameraId, 1, options).payload)
    expect(answer).toMatchObject({ resultado: 'recusado' })
    expect(await events()).toEqual([])
    expect(await files()).toEqual([])
  })

  it('bytes that are no record: unanswered without an id, refused with one', async () => {
    expect(await ingestRecord(deps, edgeId, Buffer.from('junk'))).toBeNull()
    const { id, payload } = candidate(cameraId, 1)
    const damaged = Buffer.from(payload)
    damaged.writeUInt8(damaged.readUInt8(damaged.length - 10) ^ 0xff, damaged.length - 10)
    expect(await ingestRecord(deps, edgeId, damaged)).toMatchObject({ id, resultado: 'recusado' })
  })
})

describe('when something breaks', () => {
  it('on the disk: nothing is stored and nothing may be acknowledged', async () => {
    await mkdir(join(dir, 'media'))
    await writeFile(join(dir, 'media/eventos'), 'in the way')
    await expect(ingestRecord(deps, edgeId, candidate(cameraId, 1).payload)).rejects.toThrow()
    expect(await events()).toEqual([])
  })

  it('between file and commit: only a file is left, and the same record is stored when it comes again', async () => {
    const { id, payload } = candidate(cameraId, 1)
    await db.schema.alterTable('alertas').renameTo('alertas_away').execute()
    await expect(ingestRecord(deps, edgeId, payload)).rejects.toThrow()
    expect(await files()).toHaveLength(1)
    expect(await events()).toEqual([])
    expect(await db.selectFrom('sequencias').selectAll().execute()).toEqual([])

    await db.schema.alterTable('alertas_away').renameTo('alertas').execute()
    expect(await ingestRecord(deps, edgeId, payload)).toMatchObject({ id, resultado: 'gravado' })
    expect(await files()).toHaveLength(1)
  })
})

describe('sequence numbers', () => {
  const arrive = async (...seqs: number[]) => {
    for (const seq of seqs) await ingestRecord(deps, edgeId, candidate(cameraId, seq).payload)
  }
  const jump = (de_seq: number, ate_seq: number) => ({ de_seq, ate_seq, motivo: 'salto_de_sequencia' })

  it('record a jump, and take back what comes late', async () => {
    await arrive(1, 6)
    expect(await gaps()).toEqual([jump(2, 5)])
    await arrive(3)
    expect(await gaps()).toEqual([jump(2, 2), jump(4, 5)])
    await arrive(2, 5, 4, 7)
    expect(await gaps()).toEqual([])
  })

  it('are counted per camera', async () => {
    const second = await seedOneCamera(db, empresaId, edgeId)
    await arrive(1, 2)
    await ingestRecord(deps, edgeId, candidate(second, 1).payload)
    expect(await gaps()).toEqual([])
  })

  it('keep the edge’s own gap record, once, and do not count it as a jump', async () => {
    await arrive(1)
    const record = gap(cameraId, 2, 4)
    expect(await ingestRecord(deps, edgeId, record.payload)).toMatchObject({ id: record.id, resultado: 'gravado' })
    expect(await ingestRecord(deps, edgeId, record.payload)).toMatchObject({ resultado: 'repetido' })
    await arrive(5)
    expect(await gaps()).toEqual([{ de_seq: 2, ate_seq: 4, motivo: 'cota_de_disco' }])
    expect(await ingestRecord(deps, edgeId, gap(cameraId, 9, 7).payload)).toMatchObject({ resultado: 'recusado' })
  })

  it.each([
    ['a new box counts from 1', 1],
    ['a box with its old disk counts on', 40],
  ])('start anew with an activation: %s', async (_what, next) => {
    await arrive(1, 2)
    const codigo_hash = randomUUID()
    const now = deps.clock.now()
    const box = { chave_cifra_json: '{}', certificado_sha256: '11'.repeat(32) }
    await db
      .updateTable('edges')
      .set({ codigo_hash, codigo_expira_em: now + 1 })
      .where('id', '=', edgeId)
      .execute()
    expect(await activateEdge(db, edgeId, codigo_hash, box, now)).toBe(true)
    await arrive(next, next + 2)
    expect(await gaps()).toEqual([jump(next + 1, next + 1)])
  })
})
