import { createHash, randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Evidencia } from '@vigia/contracts/extras'
import type { NomeIa } from '@vigia/contracts/ias'
import { encodeExtras } from '@vigia/link/extras-batch'
import { blankJpeg } from '@vigia/testing/blank-jpeg'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../../adapters/media-store/file-media-store.ts'
import type { Database } from '../../../../db/open.ts'
import { operatorCaller } from '../../../../test/clients/operator-caller.ts'
import { openTestDatabase } from '../../../../test/clouds/template.ts'
import { seedCanal } from '../../../../test/records/queue-records.ts'
import { batch, candidate, type HeldRecord, passage, seedCamera } from '../../../../test/records/records.ts'
import { DAY_MS, seedEvento } from '../../../../test/records/retention-records.ts'
import {
  fillWithLimit,
  forgetCount,
  hold,
  listPictures,
  queuedMessages,
  readWaiting,
  usedBytes,
} from '../../../../test/stores/espaco-store.ts'
import { deleteEventosOf } from '../../../eventos/eventos/delete-eventos.ts'
import { reviewEvent } from '../../../eventos/eventos/review-evento.ts'
import { deletePassagensOf } from '../../../placas/passagens/delete-passagens.ts'
import { ingestBatch } from '../../ingestao/ingest-batch.ts'
import { ingestExtras } from '../../ingestao/ingest-extras.ts'
import { sweepEmpresa } from '../sweep-empresa.ts'
import { checkBytes } from './check-bytes.ts'
import { countExisting } from './count-existing.ts'
import { createMediaSpace, type DiskMeasure } from './media-space.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const KB = 1_000
const log = pino({ level: 'silent' })
let dir: string
let db: Database
let now: number
let disk: DiskMeasure | null
let seeded: Awaited<ReturnType<typeof seedCamera>>
const media = () => createFileMediaStore({ dir: join(dir, 'media') })
const deps = () => {
  const base = { db, media: media(), clock: { now: () => now }, log }
  return { ...base, space: createMediaSpace({ ...base, measure: () => disk }) }
}

beforeEach(async () => {
  dir = temporaryFolder('vigia-espaco-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  now = NOON
  disk = null
  seeded = await seedCamera(db)
})
afterEach(async () => {
  expect(await checkBytes(db, media())).toEqual([])
  await db.destroy()
  await rm(dir, { recursive: true, force: true })
})

let seq = 0
const seen = (ia: NomeIa, { camera = seeded.cameraId, bytes = 10 * KB } = {}): HeldRecord =>
  candidate(camera, ++seq, { crop: blankJpeg(bytes, randomUUID()), change: { ia, ocorrido_em: now } })
const send = async (records: readonly HeldRecord[], edge = seeded.edgeId) => {
  const ingested = await ingestBatch(deps(), edge, batch(records))
  if (!ingested.ok) throw new Error(ingested.motivo)
  return ingested.respostas
}
const results = async (...args: Parameters<typeof send>) => (await send(...args)).map(({ resultado }) => resultado)
const files = async () =>
  (await readdir(join(dir, 'media'), { recursive: true }).catch(() => [])).filter((name) => name.endsWith('.jpg'))
beforeEach(() => {
  seq = 0
})

describe('the bytes of an Empresa', () => {
  it('count every picture with its row, and no more once it is deleted', async () => {
    const { empresaId, edgeId, cameraId } = seeded
    const first = seen('invasao')
    const passed = passage(cameraId, 2)
    seq = 2
    expect(await results([first, passed, seen('fogo')])).toEqual(['gravado', 'gravado', 'gravado'])
    const used = await usedBytes(db, empresaId)
    expect(used).toBeGreaterThan(20 * KB)
    // A later revision replaces the pictures of a passage.
    if (passed.registro.tipo !== 'passagem') throw new Error('no passage')
    const change = { passagem: passed.registro.passagem, revisao: 2 }
    expect(await results([passage(cameraId, 4, { foto: blankJpeg(5 * KB, 'x'), change })])).toEqual(['gravado'])
    expect(await checkBytes(db, media())).toEqual([])

    const imagem = blankJpeg(3 * KB, 'e')
    const extra: Evidencia = {
      tipo: 'evidencia',
      v: 1,
      id: randomUUID(),
      camera_id: cameraId,
      evento: first.id,
      fonte: 'sub',
      dt_ms: 0,
      redetectada: true,
      caixas: [{ rotulo: 'person', confianca: 0.5, x: 0.3, y: 0.3, w: 0.3, h: 0.3 }],
      imagem: {
        tipo: 'image/jpeg',
        tamanho: imagem.length,
        sha256: createHash('sha256').update(imagem).digest('hex'),
      },
    }
    const extras = await ingestExtras(deps(), edgeId, encodeExtras([{ extra, imagem }]) ?? Buffer.alloc(0))
    expect(extras).toMatchObject({ gravados: 1, esperam: [] })
    expect(await checkBytes(db, media())).toEqual([])

    const [evento] = await listPictures(db)
    await reviewEvent(deps(), operatorCaller, evento?.id ?? 0, { rotulo_humano: 'confirmado', revisor: 'Ana' })
    expect(await checkBytes(db, media())).toEqual([])
    now += 100 * DAY_MS
    await sweepEmpresa(deps(), empresaId, new AbortController().signal)
    expect(await checkBytes(db, media())).toEqual([])
    while ((await deleteEventosOf(deps(), empresaId)) > 0);
    while ((await deletePassagensOf(deps(), empresaId)) > 0);
    expect(await usedBytes(db, empresaId)).toBe(0)
  })

  it('of files that are older than the count are counted in steps, also while their events are deleted', async () => {
    const ids: number[] = []
    for (let i = 0; i < 3; i += 1) ids.push(await seedEvento({ db, media: media(), ...seeded }, NOON - i * DAY_MS))
    await send([seen('invasao')])
    await forgetCount(db)
    const stopped = new AbortController()
    stopped.abort()
    await countExisting(deps(), stopped.signal)
    expect((await checkBytes(db, media())).length).toBeGreaterThan(0)
    await countExisting(deps(), new AbortController().signal, 0)
    expect(await checkBytes(db, media())).toEqual([])
    const used = await usedBytes(db, seeded.empresaId)
    await countExisting(deps(), new AbortController().signal, 0)
    expect(await usedBytes(db, seeded.empresaId)).toBe(used)
  })
})

describe('above limite_bytes', () => {
  it('the oldest pictures of the lowest severity go, and none of a preserved event', async () => {
    await send([seen('invasao'), seen('veiculo')])
    // Another incidente: a hold keeps the whole one.
    now += 3_600_000
    await send([seen('fogo'), seen('veiculo'), seen('invasao')])
    const before = await listPictures(db)
    expect(before.map(({ gravidade }) => gravidade)).toEqual(['alta', 'media', 'critica', 'media', 'alta'])
    await hold(db, before[1]?.id ?? 0, NOON + DAY_MS)
    // Without one picture there is space for the next event.
    const limit = (await usedBytes(db, seeded.empresaId)) + 5 * KB
    await fillWithLimit(db, seeded.empresaId, limit)
    expect(await results([seen('fogo')])).toEqual(['gravado'])
    expect(await usedBytes(db, seeded.empresaId)).toBeLessThanOrEqual(limit)
    const left = (await listPictures(db)).filter(({ crop_path }) => crop_path !== null).map(({ id }) => id)
    // The media one that is not held went first.
    expect(left).toEqual([1, 2, 3, 5, 6].map((at) => at + (before[0]?.id ?? 1) - 1))
  })

  it('boxes wait once no picture may go, nothing is lost, and the administrador gets one message', async () => {
    await send([seen('invasao'), seen('fogo')])
    for (const { id } of await listPictures(db)) await hold(db, id, NOON + DAY_MS)
    await fillWithLimit(db, seeded.empresaId, 25 * KB)
    await seedCanal(db, { empresa_id: seeded.empresaId, destino: 'https://exemplo.com.br/a' })
    await seedCanal(db, { empresa_id: seeded.empresaId, destino: 'https://exemplo.com.br/b', avisar_quedas: false })
    const stored = await files()
    const record = seen('fogo')
    const [answer] = await send([record])
    expect(answer).toMatchObject({ id: record.id, resultado: 'fora_de_ordem', espere_s: 60 })
    expect(answer?.motivo).toContain('limite de espaço')
    expect(await files()).toEqual(stored)
    expect(await readWaiting(db, seeded.empresaId)).toMatchObject({ espera_desde: NOON, espera_motivo: 'limite' })
    await send([record])
    expect(await queuedMessages(db)).toMatchObject([
      { tipo: 'espaco.esgotado', aviso: { texto: answer?.motivo, desde: new Date(NOON).toISOString() } },
    ])
    await fillWithLimit(db, seeded.empresaId, 100 * KB)
    expect(await results([record])).toEqual(['gravado'])
    expect(await readWaiting(db, seeded.empresaId)).toMatchObject({ espera_desde: null, avisada_em: NOON })
  })

  it('an Empresa below waits for the limit above it, and a neighbour in the same batch does not', async () => {
    const other = await seedCamera(db)
    const shared = seeded.edgeId
    await db.updateTable('edges').set({ local: 1 }).where('id', '=', shared).execute()
    const above = await seedCamera(db)
    await db
      .updateTable('empresas')
      .set({ empresa_pai_id: above.empresaId })
      .where('id', '=', seeded.empresaId)
      .execute()
    await fillWithLimit(db, above.empresaId, 5 * KB)
    const own = seen('fogo')
    const neighbour = candidate(other.cameraId, 1, { crop: blankJpeg(10 * KB, 'n') })
    expect(await results([own, neighbour])).toEqual(['fora_de_ordem', 'gravado'])
    expect(await usedBytes(db, above.empresaId)).toBe(0)
    expect(await usedBytes(db, other.empresaId)).toBeGreaterThan(10 * KB)
  })

  it('is never passed by batches of several edges at the same time, and leaves no file', async () => {
    const second = await seedCamera(db)
    await db
      .updateTable('empresas')
      .set({ empresa_pai_id: seeded.empresaId })
      .where('id', '=', second.empresaId)
      .execute()
    await fillWithLimit(db, seeded.empresaId, 15 * KB)
    await Promise.all([
      send([seen('fogo')]),
      send([candidate(second.cameraId, 1, { crop: blankJpeg(10 * KB, 's') })], second.edgeId),
    ])
    expect(await usedBytes(db, seeded.empresaId)).toBeLessThanOrEqual(15 * KB)
    expect(await files()).toHaveLength(1)
  })

  it('boxes wait with events and passages without pictures too, until records are deleted', async () => {
    const text = () => candidate(seeded.cameraId, ++seq, { crop: null, change: { ocorrido_em: now } })
    const first = await results([text(), passage(seeded.cameraId, ++seq, { foto: null }), text()])
    expect(first).toEqual(['gravado', 'gravado', 'gravado'])
    await fillWithLimit(db, seeded.empresaId, await usedBytes(db, seeded.empresaId))
    const later = text()
    expect(await results([later])).toEqual(['fora_de_ordem'])
    expect(await readWaiting(db, seeded.empresaId)).toMatchObject({ espera_motivo: 'limite' })
    while ((await deletePassagensOf(deps(), seeded.empresaId)) > 0);
    expect(await results([later])).toEqual(['gravado'])
  })
})

describe('without a limit', () => {
  it('a root above its equal share waits while the disk is nearly full', async () => {
    const other = await seedCamera(db)
    await send([seen('invasao', { bytes: 12 * KB }), seen('invasao', { bytes: 12 * KB })])
    disk = { free: 3 * KB, total: 29 * KB }
    expect(await results([seen('invasao')])).toEqual(['gravado'])
    disk = { free: 2 * KB, total: 40 * KB }
    expect(await results([seen('invasao')])).toEqual(['fora_de_ordem'])
    expect(await readWaiting(db, seeded.empresaId)).toMatchObject({ espera_motivo: 'disco' })
    const small = candidate(other.cameraId, 1, { crop: blankJpeg(1 * KB, 'o') })
    expect(await results([small], other.edgeId)).toEqual(['gravado'])
    // The operator has promised it these bytes.
    await fillWithLimit(db, seeded.empresaId, 40 * KB)
    disk = { free: 5 * KB, total: 80 * KB }
    seq = 3
    expect(await results([seen('invasao', { bytes: 1 * KB })])).toEqual(['gravado'])
  })
})

describe('a picture', () => {
  it('with too many bytes for its pixels is left out, and its event is stored', async () => {
    const size = { width: 16, height: 16 }
    const picture = (bytes: number) =>
      candidate(seeded.cameraId, ++seq, {
        crop: blankJpeg(bytes, randomUUID(), size),
        change: { ia: 'invasao', ocorrido_em: now },
      })
    const fits = picture(16 * 1024 + 2 * 16 * 16)
    const large = picture(16 * 1024 + 2 * 16 * 16 + 1)
    expect(await results([fits, large])).toEqual(['gravado', 'gravado'])
    const rows = await listPictures(db)
    expect(rows.map(({ crop_path }) => crop_path !== null)).toEqual([true, false])
    expect(JSON.parse(rows[1]?.detalhes_json ?? '{}')).toMatchObject({ midia_descartada: true })
  })

  it('of the whole frame is left out without the crop, so that every picture of an event may go', async () => {
    const record = candidate(seeded.cameraId, ++seq, { crop: null, quadro: blankJpeg(5 * KB, 'q') })
    expect(await results([record])).toEqual(['gravado'])
    expect(await files()).toEqual([])
  })
})
