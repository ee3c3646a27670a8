import { randomUUID } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Posicao } from '@vigia/contracts/candidate'
import { freshFixture } from '@vigia/testing/fixture'
import { afterEach, describe, expect, it } from 'vitest'
import { NOON, openIngestStage } from '../../../test/clouds/ingest-stage.ts'
import {
  batch,
  candidate,
  gap,
  type HeldRecord,
  JPEG,
  seedActivatedEdge,
  seedCamera,
  seedOneCamera,
} from '../../../test/records/records.ts'
import { expectIncidentesRight } from '../../../test/stores/incidentes-store.ts'
import { expectCountsRight } from '../../../test/stores/recount-store.ts'
import { ingestBatch } from './ingest-batch.ts'

const stage = freshFixture(openIngestStage)
afterEach(async () => {
  await expectCountsRight(stage.db)
  await expectIncidentesRight(stage.db)
})

type Sent = HeldRecord & Partial<Posicao>
/** Answers to these records in one batch. */
const send = async (
  records: readonly Sent[],
  { edge = stage.edgeId, serie }: { edge?: number; serie?: string } = {},
) => {
  const ingested = await ingestBatch(stage.deps, edge, batch(records, serie))
  if (!ingested.ok) throw new Error(ingested.motivo)
  return ingested
}
const results = async (...args: Parameters<typeof send>) =>
  (await send(...args)).respostas.map(({ resultado }) => resultado)
const one = async (record: Sent, options?: Parameters<typeof send>[1]) => (await send([record], options)).respostas[0]

const events = () => stage.db.selectFrom('eventos').selectAll().orderBy('id').execute()
/** Sequence numbers in the order of the list of events, oldest first. */
const listed = async () => (await events()).map(({ seq }) => seq)
/** Lines of events in the alert log. */
const log = () =>
  stage.db.selectFrom('alertas').select(['evento_id', 'tipo']).where('tipo', '<>', 'incidente').orderBy('seq').execute()
const gaps = async () =>
  (await stage.db.selectFrom('lacunas').selectAll().orderBy('de_seq').orderBy('id').execute()).map(
    ({ de_seq, ate_seq, motivo }) => `${de_seq}-${ate_seq} ${motivo}`,
  )
const files = async () =>
  (await readdir(join(stage.dir, 'media'), { recursive: true }).catch(() => [])).filter((name) => name.endsWith('.jpg'))

describe('a candidate', () => {
  it('becomes one event with its pictures, its sequence and its entry in the alert log', async () => {
    const record = candidate(stage.cameraId, 1, { quadro: JPEG })
    expect(await one(record)).toEqual({ id: record.id, resultado: 'gravado', motivo: null })

    const [event] = await events()
    expect(event).toMatchObject({
      uuid: record.id,
      empresa_id: stage.empresaId,
      camera_nome: 'Portão',
      tipo: 'invasao',
      gravidade: 'alta',
      ocorrido_em: 1_790_000_000_001,
      crop_path: `eventos/2026/11/21/${record.id}-crop.jpg`,
      quadro_path: `eventos/2026/11/21/${record.id}-quadro.jpg`,
      instrucoes_json: '["ignore animais"]',
      veredito_decisao: null,
      midia_bytes: 2 * JPEG.length,
    })
    expect(JSON.parse(event?.relogio_json ?? '')).toEqual({ desvio_ms: 12, sincronizado: true })
    expect(await stage.deps.media.read(event?.crop_path ?? '')).toEqual(JPEG)
    expect(await log()).toEqual([{ evento_id: event?.id, tipo: 'evento' }])
    expect(await gaps()).toEqual([])
  })

  it('is stored once and answered each time if it arrives twice, even in one batch', async () => {
    const record = candidate(stage.cameraId, 1)
    const twice = [record, record]
    const answers = (await Promise.all([results(twice), results(twice)])).flat()
    expect([...answers, ...(await results(twice))].sort()).toEqual(['gravado', ...Array(5).fill('repetido')])
    expect(await events()).toHaveLength(1)
    expect(await log()).toHaveLength(1)
  })

  it('does not replace the picture when it arrives again under the same id', async () => {
    const first = candidate(stage.cameraId, 1)
    await one(first)
    const other = Buffer.from(JPEG)
    other.writeUInt8(0x11, 30)
    const again = candidate(stage.cameraId, 1, { crop: other, change: { id: first.id.toUpperCase() } })
    expect(await one(again)).toEqual({ id: again.id, resultado: 'repetido', motivo: null })
    expect(await stage.deps.media.read((await events())[0]?.crop_path ?? '')).toEqual(JPEG)
  })

  it('is still repetido after the removal of its camera', async () => {
    const record = candidate(stage.cameraId, 1)
    await one(record)
    await stage.db.deleteFrom('cameras').execute()
    expect(await one(record)).toMatchObject({ resultado: 'repetido' })
  })

  it('is stored without pictures if the edge dropped them', async () => {
    expect(await one(candidate(stage.cameraId, 1, { crop: null }))).toMatchObject({ resultado: 'gravado' })
    expect((await events())[0]).toMatchObject({ crop_path: null, detalhes_json: '{"midia_descartada":true}' })
  })

  it.each([
    ['at once', { ocorrido_em: NOON - 1000 }, 0],
    ['after a minute', { ocorrido_em: NOON - 61_000 }, 1],
    ['at once, from a clock that is late', { ocorrido_em: NOON - 90_000, relogio: drift(-89_000) }, 0],
    ['after a minute, from a clock that is ahead', { ocorrido_em: NOON + 3_600_000, relogio: drift(3_670_000) }, 1],
    ['from a clock of which nothing is known', { ocorrido_em: 1000, relogio: drift(null) }, 0],
  ])('is classified as live or backlog if it arrives %s', async (_what, change, retroativo) => {
    await one(candidate(stage.cameraId, 1, { change: { relogio: drift(0), ...change } }))
    expect((await events())[0]?.retroativo).toBe(retroativo)
  })
})

const drift = (desvio_ms: number | null) => ({ desvio_ms, sincronizado: false })

describe('a batch', () => {
  it('stores events of many cameras in order with ids, pictures and alert log entries', async () => {
    const second = await seedOneCamera(stage.db, stage.empresaId, stage.edgeId)
    const records = [1, 2, 3].flatMap((seq) => [
      candidate(stage.cameraId, seq),
      candidate(second, seq, { quadro: JPEG }),
    ])
    const ingested = await send(records)
    expect(ingested.respostas.map(({ id, resultado }) => [id, resultado])).toEqual(
      records.map(({ id }) => [id, 'gravado']),
    )
    expect(ingested.gravados).toBe(6)
    const stored = await events()
    expect(stored.map(({ uuid }) => uuid)).toEqual(records.map(({ id }) => id))
    expect((await log()).map(({ evento_id }) => evento_id)).toEqual(stored.map(({ id }) => id))
    expect(await files()).toHaveLength(9)
    expect(await gaps()).toEqual([])
  })

  it('with one bad record stores the others without a jump in the sequence', async () => {
    const bad = candidate(stage.cameraId, 2, { crop: Buffer.from('GIF89a…') })
    expect(await results([candidate(stage.cameraId, 1), bad, candidate(stage.cameraId, 3, {})])).toEqual([
      'gravado',
      'recusado',
      'gravado',
    ])
    expect(await listed()).toEqual([1, 3])
    expect(await gaps()).toEqual(['2-2 recusado'])
    expect(await files()).toHaveLength(2)
    expect([await results([bad]), await gaps()]).toEqual([['recusado'], ['2-2 recusado']])
  })

  it('is not answered if it is unreadable; an unreadable record is answered under its id', async () => {
    expect(await ingestBatch(stage.deps, stage.edgeId, Buffer.from('junk'))).toMatchObject({ ok: false })
    const [first, record] = [candidate(stage.cameraId, 1), candidate(stage.cameraId, 2)]
    const damaged = batch([first, record])
    damaged.writeUInt8(damaged.readUInt8(damaged.length - 10) ^ 0xff, damaged.length - 10)
    expect(await ingestBatch(stage.deps, stage.edgeId, damaged)).toMatchObject({
      respostas: [
        { id: first.id, resultado: 'gravado' },
        { id: record.id, resultado: 'recusado', motivo: expect.stringContaining('danificada') },
      ],
    })
    expect(await results([{ ...candidate(stage.cameraId, 3), base: 2, desde: 2 }])).toEqual(['gravado'])
    expect(await listed()).toEqual([1, 3])
    expect(await gaps()).toEqual(['2-2 recusado'])
  })

  it('from a later version continues after a record that is not understood', async () => {
    const strange = candidate(stage.cameraId, 1, { change: { ia: 'granizo' as 'fogo' } })
    const lost = { ...candidate(stage.cameraId, 2, { change: { seq: 0 } }), base: 1, desde: 1 }
    const next = { ...candidate(stage.cameraId, 2), base: 1, desde: 1 }
    expect(await results([strange, lost, next])).toEqual(['recusado', 'recusado', 'gravado'])
    expect(await gaps()).toEqual(['1-1 recusado'])
  })
})

describe('refused records', () => {
  it('refuses an event of a camera of another Empresa on any edge', async () => {
    const other = await seedCamera(stage.db)
    expect(await one(candidate(other.cameraId, 1))).toMatchObject({
      resultado: 'recusado',
      motivo: expect.stringContaining('câmera'),
    })
    await stage.db.updateTable('cameras').set({ edge_id: null }).where('id', '=', other.cameraId).execute()
    expect(await one(candidate(other.cameraId, 1))).toMatchObject({ resultado: 'recusado' })
    expect(await one(gap(other.cameraId, 1, 5))).toMatchObject({ resultado: 'recusado' })
    expect([await events(), await files(), await gaps()]).toEqual([[], [], []])
  })

  it('stores an event of a camera that has moved to another edge of its Empresa', async () => {
    const next = await seedActivatedEdge(stage.db, stage.empresaId)
    await stage.db.updateTable('cameras').set({ edge_id: next }).where('id', '=', stage.cameraId).execute()
    expect(await results([candidate(stage.cameraId, 1)])).toEqual(['gravado'])
    expect(await results([candidate(stage.cameraId, 1)], { edge: next })).toEqual(['gravado'])
    expect((await events()).map((event) => [event.edge_id, event.seq])).toEqual([
      [stage.edgeId, 1],
      [next, 1],
    ])
    expect(await gaps()).toEqual([])
  })

  it('accepts all Empresas from the local edge', async () => {
    await stage.db.updateTable('edges').set({ local: 1, empresa_id: null }).execute()
    expect(await results([candidate((await seedCamera(stage.db)).cameraId, 1)])).toEqual(['gravado'])
  })

  it('refuses an event under the id of another edge’s event', async () => {
    const other = await seedCamera(stage.db)
    const { id } = candidate(stage.cameraId, 1)
    await one(candidate(stage.cameraId, 1, { change: { id } }))
    const forged = candidate(other.cameraId, 1, { change: { id } })
    expect(await one(forged, { edge: other.edgeId })).toMatchObject({ resultado: 'recusado' })
    expect(await events()).toHaveLength(1)
  })

  it('leaves edges without an answer before activation and after removal', async () => {
    await stage.db.updateTable('edges').set({ ativado_em: null }).execute()
    expect(await results([candidate(stage.cameraId, 1), gap(stage.cameraId, 2, 3)])).toEqual([])
    expect(await results([candidate(stage.cameraId, 1)], { edge: 999 })).toEqual([])
    expect([await events(), await gaps()]).toEqual([[], []])
  })

  it('refuses an instant after the year 9999', async () => {
    const far = candidate(stage.cameraId, 1, { change: { ocorrido_em: Number.MAX_SAFE_INTEGER } })
    expect(await one(far)).toMatchObject({ resultado: 'recusado', motivo: expect.stringContaining('instante') })
    expect([await events(), await files(), await gaps()]).toEqual([[], [], ['1-1 recusado']])
  })
})

describe('when something breaks', () => {
  it('stores nothing and rejects after a disk failure', async () => {
    await mkdir(join(stage.dir, 'media'))
    await writeFile(join(stage.dir, 'media/eventos'), 'in the way')
    await expect(send([candidate(stage.cameraId, 1)])).rejects.toThrow()
    expect(await events()).toEqual([])
  })

  it('leaves only files after a failure before the commit, and stores the batch on the next attempt', async () => {
    const records = [candidate(stage.cameraId, 1), { ...candidate(stage.cameraId, 7), base: 1, desde: 7 }]
    await stage.db.schema.alterTable('alertas').renameTo('alertas_away').execute()
    await expect(send(records)).rejects.toThrow()
    expect(await files()).toHaveLength(2)
    expect([await events(), await gaps()]).toEqual([[], []])
    expect(await stage.db.selectFrom('sequencias').selectAll().execute()).toEqual([])

    await stage.db.schema.alterTable('alertas_away').renameTo('alertas').execute()
    expect(await results(records)).toEqual(['gravado', 'gravado'])
    expect(await files()).toHaveLength(2)
    expect((await events()).map(({ id }) => id)).toEqual([1, 7])
  })
})

describe('two lanes', () => {
  const waiting = (seq: number, base: number) => ({ ...candidate(stage.cameraId, seq), base, desde: base })
  const live = (seq: number, base: number, desde: number) => ({ ...candidate(stage.cameraId, seq), base, desde })

  it('lets live events overtake the backlog and lists events by sequence number', async () => {
    expect(await results([live(6, 1, 6), live(7, 1, 6)])).toEqual(['gravado', 'gravado'])
    expect(await gaps()).toEqual(['1-5 a_caminho'])
    const other = await seedOneCamera(stage.db, stage.empresaId, stage.edgeId)
    await send([candidate(other, 1)])
    expect(await results([waiting(1, 1), waiting(2, 1), live(8, 1, 6), waiting(3, 1)])).toEqual(
      Array(4).fill('gravado'),
    )
    expect(await gaps()).toEqual(['4-5 a_caminho'])
    expect(await results([waiting(4, 4), waiting(5, 4)])).toEqual(['gravado', 'gravado'])
    expect(await gaps()).toEqual([])
    const ofCamera = (await events()).filter(({ camera_id }) => camera_id === stage.cameraId)
    expect(ofCamera.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  it('marks overtaken events as backlog without a trusted clock', async () => {
    const relogio = drift(null)
    await send([{ ...candidate(stage.cameraId, 2, { change: { relogio } }), base: 1, desde: 2 }])
    await send([candidate(stage.cameraId, 1, { change: { relogio } })])
    expect((await events()).map(({ seq, retroativo }) => [seq, retroativo])).toEqual([
      [1, 1],
      [2, 0],
    ])
  })

  it('answers fora_de_ordem within a lane until the previous records are stored', async () => {
    expect(await results([waiting(2, 1)])).toEqual(['fora_de_ordem'])
    expect(await results([live(6, 1, 6), live(8, 1, 6), live(7, 1, 6)])).toEqual([
      'gravado',
      'fora_de_ordem',
      'gravado',
    ])
    expect(await results([waiting(2, 1), waiting(1, 1), waiting(3, 1), waiting(2, 1)])).toEqual([
      'fora_de_ordem',
      'gravado',
      'fora_de_ordem',
      'gravado',
    ])
    expect(await listed()).toEqual([1, 2, 6, 7])
    expect(await gaps()).toEqual(['3-5 a_caminho'])
    expect(await files()).toHaveLength(4)
  })

  it('records numbers that the edge no longer has as a jump, even expected ones', async () => {
    await send([live(6, 1, 6)])
    await send([live(7, 4, 6)])
    expect(await gaps()).toEqual(['1-3 salto_de_sequencia', '4-5 a_caminho'])
    await send([candidate(stage.cameraId, 10)])
    expect(await gaps()).toEqual(['1-3 salto_de_sequencia', '4-5 salto_de_sequencia', '8-9 salto_de_sequencia'])
    // It arrives after all and fills its position in the list.
    await send([candidate(stage.cameraId, 4)])
    expect(await listed()).toEqual([4, 6, 7, 10])
    expect(await gaps()).toEqual(['1-3 salto_de_sequencia', '5-5 salto_de_sequencia', '8-9 salto_de_sequencia'])
  })

  it('stores the reason of a gap record once, at any position', async () => {
    await send([live(9, 1, 9)])
    const record = { ...gap(stage.cameraId, 2, 4), base: 1, desde: 1 }
    expect(await results([waiting(1, 1), record, record])).toEqual(['gravado', 'gravado', 'repetido'])
    expect(await results([record])).toEqual(['repetido'])
    expect(await gaps()).toEqual(['2-4 cota_de_disco', '5-8 a_caminho'])
    await send([waiting(5, 5), { ...gap(stage.cameraId, 6, 8), base: 5, desde: 5 }, live(10, 5, 9)])
    expect(await gaps()).toEqual(['2-4 cota_de_disco', '6-8 cota_de_disco'])
    expect(await listed()).toEqual([1, 5, 9, 10])
    expect(await results([gap(stage.cameraId, 13, 12)])).toEqual(['recusado'])
  })

  it('ignores a gap record for numbers that are stored', async () => {
    await send([candidate(stage.cameraId, 1), candidate(stage.cameraId, 2)])
    const record = gap(stage.cameraId, 2, 4)
    expect(await results([record])).toEqual(['gravado'])
    expect(await gaps()).toEqual(['3-4 cota_de_disco'])
    expect(await results([gap(stage.cameraId, 1, 2), record])).toEqual(['gravado', 'repetido'])
    expect(await gaps()).toEqual(['3-4 cota_de_disco'])
    await send([candidate(stage.cameraId, 5)])
    expect(await listed()).toEqual([1, 2, 5])
  })
})

describe('sequence numbers', () => {
  it('are counted by camera and edge', async () => {
    const second = await seedOneCamera(stage.db, stage.empresaId, stage.edgeId)
    await send([candidate(stage.cameraId, 1), candidate(stage.cameraId, 2), candidate(second, 1)])
    expect(await gaps()).toEqual([])
  })

  it('store two events and report them if used under two ids', async () => {
    await send([candidate(stage.cameraId, 1), candidate(stage.cameraId, 2)])
    const copy = candidate(stage.cameraId, 2)
    expect(await send([copy])).toMatchObject({
      respostas: [{ resultado: 'gravado' }],
      numerosUsados: [{ camera_id: stage.cameraId, seq: 2, uuid: copy.id }],
    })
    expect(await listed()).toEqual([1, 2, 2])
    expect((await send([candidate(stage.cameraId, 3)])).numerosUsados).toEqual([])
    expect(await gaps()).toEqual([])
  })

  it.each([
    ['told where the count stands', 8, 8, '8-7 fila_recomecada'],
    ['that had gone on without the cloud', 12, 12, '8-11 fila_recomecada'],
    ['that begins at 1', 1, 1, '8-0 fila_recomecada'],
  ])('of another outbox, %s, continue from there', async (_what, base, seq, row) => {
    await send([{ ...candidate(stage.cameraId, 7), base: 4, desde: 7 }])
    const serie = randomUUID()
    const fresh = { ...candidate(stage.cameraId, seq), base, desde: base }
    expect(await results([fresh], { serie })).toEqual(['gravado'])
    const jump = ['1-3 salto_de_sequencia', '4-6 salto_de_sequencia']
    expect(await gaps()).toEqual([...jump, row])
    expect(await results([candidate(stage.cameraId, seq + 1)], { serie })).toEqual(['gravado'])
    expect(await gaps()).toEqual([...jump, row])
    expect(await stage.db.selectFrom('sequencias').select(['ultimo_seq', 'serie']).execute()).toEqual([
      { ultimo_seq: seq + 1, serie },
    ])
  })

  it('of another outbox are ignored if the record is out of order', async () => {
    await send([candidate(stage.cameraId, 1)])
    const serie = randomUUID()
    expect(await results([{ ...candidate(stage.cameraId, 5), base: 4, desde: 4 }], { serie })).toEqual([
      'fora_de_ordem',
    ])
    expect(await gaps()).toEqual([])
  })
})
