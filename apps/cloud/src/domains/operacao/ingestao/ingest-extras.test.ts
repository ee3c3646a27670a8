import { createHash, randomUUID } from 'node:crypto'
import type { Clipe, Descartado, Evidencia } from '@vigia/contracts/extras'
import { type ExtraItem, encodeExtras } from '@vigia/link/extras-batch'
import { blankJpeg } from '@vigia/testing/blank-jpeg'
import { freshFixture } from '@vigia/testing/fixture'
import { beforeEach, describe, expect, it } from 'vitest'
import { listFiles } from '../../../db/midias-a-apagar.ts'
import { NOON, openIngestStage } from '../../../test/clouds/ingest-stage.ts'
import { batch, candidate, seedActivatedEdge } from '../../../test/records/records.ts'
import { deleteDescartadosOf, sweepDescartados } from '../../eventos/eventos/delete-descartados.ts'
import { deleteEventosOf } from '../../eventos/eventos/delete-eventos.ts'
import { enqueueAviso } from '../../mensagens/notificacoes/enqueue-aviso.ts'
import { ingestBatch } from './ingest-batch.ts'
import { ingestExtras } from './ingest-extras.ts'

const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const stage = freshFixture(openIngestStage)
/** Id of the stored candidate. */
let evento: string
beforeEach(async () => {
  evento = await store(1)
})

async function store(seq: number, recordDeps = stage.deps): Promise<string> {
  const record = candidate(stage.cameraId, seq, { change: { ocorrido_em: NOON } })
  const ingested = await ingestBatch(recordDeps, stage.edgeId, batch([record]))
  if (!ingested.ok) throw new Error(ingested.motivo)
  return record.id
}

const picture = (rest: Partial<Evidencia> = {}, imagem = blankJpeg(200, randomUUID())): ExtraItem => {
  const sha256 = createHash('sha256').update(imagem).digest('hex')
  const extra: Evidencia = {
    tipo: 'evidencia',
    v: 1,
    id: randomUUID(),
    camera_id: stage.cameraId,
    evento,
    fonte: 'sub',
    dt_ms: -600,
    redetectada: true,
    caixas: [{ rotulo: 'person', confianca: 0.5, x: 0.3, y: 0.3, w: 0.3, h: 0.3 }],
    imagem: { tipo: 'image/jpeg', tamanho: imagem.length, sha256 },
    ...rest,
  }
  return { extra, imagem }
}
const send = async (itens: readonly ExtraItem[], edge = stage.edgeId) => {
  const ingested = await ingestExtras(stage.deps, edge, encodeExtras(itens) ?? Buffer.alloc(0))
  if (!ingested.ok) throw new Error(ingested.motivo)
  return ingested.respostas.map(({ resultado }) => resultado)
}
const rows = () => stage.db.selectFrom('evidencias').selectAll().orderBy('id').execute()

it('stores each picture once, with its file, in the order of arrival', async () => {
  const [first, second] = [picture(), picture({ fonte: 'principal', dt_ms: 900 })]
  expect(await send([first])).toEqual(['gravado'])
  expect(await send([first, second])).toEqual(['repetido', 'gravado'])
  const stored = await rows()
  expect(stored).toMatchObject([
    { uuid: first.extra.id, ordem: 1, fonte: 'sub', dt_ms: -600, redetectada: 1 },
    { uuid: second.extra.id, ordem: 2, fonte: 'principal', dt_ms: 900 },
  ])
  expect(await stage.deps.media.read(stored[0]?.caminho ?? '')).toEqual(first.imagem)
})

it('adds their bytes to those of the event', async () => {
  const bytes = async () =>
    (await stage.db.selectFrom('eventos').select('midia_bytes').where('uuid', '=', evento).executeTakeFirstOrThrow())
      .midia_bytes
  const before = Number(await bytes())
  await send([picture({}, blankJpeg(200, 'a')), picture({}, blankJpeg(300, 'b'))])
  expect(await bytes()).toBe(before + blankJpeg(200, 'a').length + blankJpeg(300, 'b').length)
})

it('removes the pictures of a removed event, and refuses later ones', async () => {
  await send([picture(), picture()])
  const [first] = await rows()
  await stage.db.deleteFrom('trabalhos').execute()
  expect(await deleteEventosOf({ db: stage.db, media: stage.deps.media, log }, stage.empresaId)).toBe(1)
  expect([await rows(), await listFiles(stage.db)]).toEqual([[], []])
  expect(await stage.deps.media.read(first?.caminho ?? '')).toBeNull()
  expect(await send([picture()])).toEqual(['recusado'])
})

it('lists a file for deletion when its event is removed while the file is written', async () => {
  const putAll: typeof stage.deps.media.putAll = async (files) => {
    await stage.deps.media.putAll(files)
    await stage.db.deleteFrom('eventos').execute()
  }
  const payload = encodeExtras([picture()]) ?? Buffer.alloc(0)
  const ingested = await ingestExtras({ ...stage.deps, media: { ...stage.deps.media, putAll } }, stage.edgeId, payload)
  expect(ingested).toMatchObject({ respostas: [{ resultado: 'recusado' }] })
  expect([await rows(), await listFiles(stage.db)]).toEqual([
    [],
    [expect.stringMatching(/^evidencias\/2026\/11\/21\//)],
  ])
})

describe('refuses', () => {
  it.each<[string, () => ExtraItem]>([
    ['an unknown event', () => picture({ evento: randomUUID() })],
    ['the event of another camera', () => picture({ camera_id: stage.cameraId + 1 })],
    ['bytes that are no JPEG', () => picture({}, Buffer.from('no picture'))],
  ])('%s', async (_what, make) => {
    expect(await send([make(), picture()])).toEqual(['recusado', 'gravado'])
  })

  it('an event whose pictures were deleted', async () => {
    await stage.db.updateTable('eventos').set({ crop_path: null, quadro_path: null }).execute()
    expect(await send([picture()])).toEqual(['recusado'])
  })

  it('the event of another edge', async () => {
    const other = await seedActivatedEdge(stage.db, stage.empresaId)
    expect(await send([picture()], other)).toEqual(['recusado'])
  })

  it('a fifth picture, and the pictures of an event above the budget of its camera', async () => {
    expect(await send(Array.from({ length: 5 }, () => picture()))).toEqual([
      'gravado',
      'gravado',
      'gravado',
      'gravado',
      'recusado',
    ])
    const over = await store(2, { ...stage.deps, budget: { perCamera: 0, perEdge: 0 } })
    expect(await send([picture({ evento: over })])).toEqual(['recusado'])
  })

  it('a picture whose bytes differ from its declaration, by its id', async () => {
    const { extra, imagem } = picture()
    const changed = { extra, imagem: blankJpeg(imagem.length, 'another') }
    expect(await send([changed, picture()])).toEqual(['recusado', 'gravado'])
  })
})

it('gives no answer to an edge that is not activated', async () => {
  await stage.db.updateTable('edges').set({ ativado_em: null }).where('id', '=', stage.edgeId).execute()
  expect(await send([picture()])).toEqual([])
})

it('rejects, without rows, when the disk fails', async () => {
  const putAll = async () => {
    throw new Error('disk')
  }
  const payload = encodeExtras([picture()]) ?? Buffer.alloc(0)
  await expect(
    ingestExtras({ ...stage.deps, media: { ...stage.deps.media, putAll } }, stage.edgeId, payload),
  ).rejects.toThrow('disk')
  expect(await rows()).toEqual([])
})

describe('a discarded candidate', () => {
  const discard = (rest: Partial<Descartado> = {}, jpeg: Buffer | null = null): ExtraItem => {
    const imagem = jpeg && {
      tipo: 'image/jpeg' as const,
      tamanho: jpeg.length,
      sha256: createHash('sha256').update(jpeg).digest('hex'),
    }
    const extra: Descartado = {
      tipo: 'descartado',
      v: 1,
      id: randomUUID(),
      camera_id: stage.cameraId,
      ia: 'invasao',
      ocorrido_em: NOON,
      motivo: 'conf',
      trilha: 'a-1',
      visita: 'a-1',
      disparou_ms: null,
      completo: true,
      confianca: 0.42,
      caixa: { rotulo: 'person', confianca: 0.42, x: 0.1, y: 0.1, w: 0.2, h: 0.5 },
      trajeto: [],
      marcas: [[0, 0.42, 0.1, 0]],
      calibracao: { conf: 0.45 },
      omitidos: 0,
      imagem,
      ...rest,
    }
    return { extra, imagem: jpeg ?? Buffer.alloc(0) }
  }
  const stored = () => stage.db.selectFrom('descartados').selectAll().orderBy('id').execute()

  it('is stored once, with or without a picture', async () => {
    const jpeg = blankJpeg(300, 'small')
    const [bare, shown] = [discard(), discard({ omitidos: 3 }, jpeg)]
    expect(await send([bare, shown])).toEqual(['gravado', 'gravado'])
    expect(await send([shown])).toEqual(['repetido'])
    const kept = await stored()
    expect(kept).toMatchObject([
      {
        uuid: bare.extra.id,
        empresa_id: stage.empresaId,
        camera_id: stage.cameraId,
        tipo: 'invasao',
        motivo: 'conf',
        caminho: null,
      },
      { uuid: shown.extra.id, omitidos: 3 },
    ])
    expect(JSON.parse(kept[0]?.dados_json ?? '{}')).toMatchObject({ marcas: [[0, 0.42, 0.1, 0]], trilha: 'a-1' })
    expect(await stage.deps.media.read(kept[1]?.caminho ?? '')).toEqual(jpeg)
    expect(await listFiles(stage.db)).toEqual([])
  })

  it('is refused for a camera of another edge, with undeclared bytes, and above 600 an hour', async () => {
    const other = await seedActivatedEdge(stage.db, stage.empresaId)
    expect(await send([discard()], other)).toEqual(['recusado'])
    expect(await send([{ ...discard(), imagem: blankJpeg(300, 'undeclared') }])).toEqual(['recusado'])
    expect(await send([discard({}, Buffer.from('no picture'))])).toEqual(['recusado'])
    const about = {
      empresa_id: stage.empresaId,
      camera_id: stage.cameraId,
      tipo: 'invasao',
      motivo: 'conf',
      omitidos: 0,
    }
    const times = { ocorrido_em: NOON, recebido_em: NOON, dados_json: '{}', caminho: null }
    for (let n = 0; n < 6; n++)
      await stage.db
        .insertInto('descartados')
        .values(Array.from({ length: 100 }, () => ({ uuid: randomUUID(), ...about, ...times })))
        .execute()
    expect(await send([discard()])).toEqual(['recusado'])
  })

  it('is deleted with its picture after seven days, and with its camera', async () => {
    const sweep = { db: stage.db, media: stage.deps.media, log, warn: enqueueAviso }
    await send([discard({}, blankJpeg(300, 'old'))])
    const [row] = await stored()
    await sweepDescartados(sweep, NOON + 6 * 86_400_000)
    expect(await stored()).toHaveLength(1)
    await sweepDescartados(sweep, NOON + 8 * 86_400_000)
    expect([await stored(), await listFiles(stage.db), await stage.deps.media.read(row?.caminho ?? '')]).toEqual([
      [],
      [],
      null,
    ])
    await send([discard()])
    await stage.db.deleteFrom('cameras').where('id', '=', stage.cameraId).execute()
    await sweepDescartados(sweep, NOON)
    expect(await stored()).toEqual([])
  })

  it('is deleted with its Empresa', async () => {
    await send([discard(), discard({}, blankJpeg(300, 'x'))])
    expect(await deleteDescartadosOf({ db: stage.db, media: stage.deps.media, log }, stage.empresaId)).toBe(2)
    expect([await stored(), await listFiles(stage.db)]).toEqual([[], []])
  })
})

it('stores that the events of a list have no clip, up to four lists of a message', async () => {
  const list = (seqs: number[], camera_id = stage.cameraId): ExtraItem => ({
    extra: { tipo: 'sem_clipes', v: 1, id: randomUUID(), camera_id, seqs, motivo: 'disco_cheio', imagem: null },
    imagem: Buffer.alloc(0),
  })
  const second = await store(2)
  await store(3)
  const clip: Clipe = {
    tipo: 'clipe',
    v: 1,
    id: randomUUID(),
    camera_id: stage.cameraId,
    inicio: NOON,
    duracao_ms: 10_000,
    imagem: null,
    codec: 'h264',
    codecs: 'avc1.4d401f',
    largura: 384,
    altura: 288,
    tamanho: 1000,
    sha256: 'a'.repeat(64),
    eventos: [{ evento: second, deslocamento_ms: 0 }],
  }
  expect(await send([{ extra: clip, imagem: Buffer.alloc(0) }])).toEqual(['gravado'])
  // Number 9 is no event of this camera.
  expect(await send([list([1, 2, 9]), list([3], stage.cameraId + 1)])).toEqual(['gravado', 'gravado'])
  expect(
    await stage.db.selectFrom('clipes_eventos').select(['motivo', 'clipe_id']).orderBy('evento_id').execute(),
  ).toEqual([
    { motivo: 'disco_cheio', clipe_id: null },
    { motivo: null, clipe_id: expect.any(Number) },
  ])
  expect(await stage.db.selectFrom('clipes').select(['estado', 'motivo']).execute()).toEqual([
    { estado: 'perdido', motivo: 'disco_cheio' },
  ])
  expect(await send(Array.from({ length: 5 }, () => list([3])))).toEqual([
    'gravado',
    'gravado',
    'gravado',
    'gravado',
    'recusado',
  ])
})
