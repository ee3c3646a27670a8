import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createFileMediaStore } from '../../adapters/media-store/file-media-store.ts'
import type { MediaStore } from '../../adapters/media-store/interface.ts'
import { type Database, openDatabase } from '../../db/open.ts'
import { transact } from '../../db/transaction.ts'
import { takeIds } from '../../domains/operacao/ingestao/ids-store.ts'
import { storeEvents } from '../../domains/operacao/ingestao/store-eventos.ts'
import { FRAME, JPEG, seedCamera } from './records.ts'

export const DAY_MS = 86_400_000

export interface Seeded {
  readonly db: Database
  readonly media: MediaStore
  readonly empresaId: number
  readonly edgeId: number
  readonly cameraId: number
}

interface SeededEvento {
  readonly resposta?: 'falso'
  /** The crop is training data. */
  readonly isTraining?: boolean
  /** Bytes of its stored clip. */
  readonly clip?: number
}

/** Stores an event that arrived at `at` (epoch ms) in an incidente of its own, with pictures. Returns its id. */
export async function seedEvento(
  { db, media, empresaId, edgeId, cameraId }: Seeded,
  at: number,
  { resposta, isTraining = false, clip }: SeededEvento = {},
): Promise<number> {
  const uuid = randomUUID()
  const crop_path = isTraining ? `dataset/confirmado/${uuid}.jpg` : `eventos/2026/11/21/${uuid}-crop.jpg`
  const quadro_path = `eventos/2026/11/21/${uuid}-quadro.jpg`
  await media.put(crop_path, JPEG)
  await media.put(quadro_path, FRAME)
  if (isTraining) await media.put(crop_path.replace('.jpg', '.json'), Buffer.from('{}'))
  const id = await transact(db, async (tx) => {
    const id = await takeIds(tx, 1)
    const texts = { relogio_json: '{}', rotulos_json: '["person"]', caixas_json: '[]', calibracao_json: '{}' }
    await storeEvents(tx, [
      {
        id,
        uuid,
        empresa_id: empresaId,
        camera_id: cameraId,
        camera_nome: 'Portão',
        edge_id: edgeId,
        seq: id,
        tipo: 'invasao',
        gravidade: 'alta',
        ocorrido_em: at + id * 3_600_000,
        recebido_em: at,
        confianca: 0.7,
        zona: null,
        crop_path,
        quadro_path,
        instrucoes_json: '[]',
        modelo: 'm',
        detalhes_json: '{}',
        ...texts,
      },
    ])
    return id
  })
  if (resposta !== undefined) {
    const of = db.selectFrom('eventos').select('incidente_id').where('id', '=', id)
    await db.updateTable('incidentes').set({ resposta }).where('id', '=', of).execute()
  }
  if (clip !== undefined) await seedClip({ db, media, empresaId, edgeId, cameraId }, id, { at, bytes: clip })
  return id
}

async function seedClip(
  { db, media, empresaId, edgeId, cameraId }: Seeded,
  eventoId: number,
  { at, bytes }: { readonly at: number; readonly bytes: number },
): Promise<void> {
  const uuid = randomUUID()
  const caminho = `clipes/2026/11/21/${uuid}.mp4`
  await media.put(caminho, Buffer.alloc(bytes))
  const { id } = await db
    .insertInto('clipes')
    .values({
      uuid,
      empresa_id: empresaId,
      camera_id: cameraId,
      edge_id: edgeId,
      inicio: at,
      duracao_ms: 12_000,
      codec: 'h264',
      codecs: 'avc1.4d401f',
      largura: 640,
      altura: 360,
      tamanho: bytes,
      caminho,
      tira: null,
      sha256: '0'.repeat(64),
      estado: 'guardado',
      motivo: null,
      desejado: 1,
      pedido_em: at,
      guardado_em: at,
      recebido_em: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const member = { evento_id: eventoId, clipe_id: id, deslocamento_ms: 5_000, motivo: null }
  await db.insertInto('clipes_eventos').values(member).execute()
  await db.updateTable('eventos').set({ clipe_em: at }).where('id', '=', eventoId).execute()
}

/** Fails unless the files of the media store are exactly those that rows name. */
export async function expectNoOrphans({ db, media }: Pick<Seeded, 'db' | 'media'>): Promise<void> {
  const files: string[] = []
  for (const folder of ['eventos', 'dataset', 'clipes']) for await (const path of media.list(folder)) files.push(path)
  const eventos = await db.selectFrom('eventos').select(['crop_path', 'quadro_path']).execute()
  const clipes = await db.selectFrom('clipes').select(['caminho', 'tira']).execute()
  const named = [
    ...eventos.flatMap(({ crop_path, quadro_path }) => [crop_path, quadro_path]),
    ...eventos.map(({ crop_path }) => (crop_path?.startsWith('dataset/') ? crop_path.replace('.jpg', '.json') : null)),
    ...clipes.flatMap(({ caminho, tira }) => [caminho, tira]),
  ].flatMap((path) => path ?? [])
  expect(files.sort()).toEqual(named.sort())
  expect(await db.selectFrom('midias_a_apagar').selectAll().execute()).toEqual([])
}

/** A passage with an event that shows its picture, both pictures, a record and a copy in the training data. */
async function seedPassagem(seeded: Seeded, at: number, isHeld: boolean): Promise<void> {
  const { db, media, empresaId, edgeId, cameraId } = seeded
  const uuid = randomUUID()
  const file = (name: string) => `passagens/2026/11/21/${uuid}-${name}.jpg`
  const dataset_path = `dataset/placas/${uuid}-0.jpg`
  for (const path of [file('veiculo'), file('placa'), dataset_path]) await media.put(path, JPEG)
  await media.put(dataset_path.replace('.jpg', '.json'), Buffer.from('{}'))
  const place = { empresa_id: empresaId, camera_id: cameraId, camera_nome: 'Portão', edge_id: edgeId }
  const { id } = await db
    .insertInto('passagens')
    .values({
      ...place,
      uuid,
      revisao: 1,
      inicio: at,
      ocorrido_em: at,
      fim: at,
      recebida_em: at,
      placa: 'ABC1D23',
      candidatas_json: '[]',
      foto_path: file('veiculo'),
      foto_placa_path: file('placa'),
      dataset_path,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('registros_passagem').values({ uuid, edge_id: edgeId, passagem_id: id }).execute()
  const evento_id = await seedEvento(seeded, at, { resposta: 'falso' })
  const shown = await db.selectFrom('eventos').select('crop_path').where('id', '=', evento_id).executeTakeFirstOrThrow()
  if (shown.crop_path !== null) await media.remove(shown.crop_path)
  // Its type stays, which the counts have.
  const plate = { crop_path: file('veiculo'), passagem_id: id }
  await db.updateTable('eventos').set(plate).where('id', '=', evento_id).execute()
  await db.updateTable('passagens').set({ evento_id }).where('id', '=', id).execute()
  const hold = { evento_id, motivo: 'x', ate: at + 400 * DAY_MS, por: 'Ana', desde: at }
  if (isHeld) await db.insertInto('preservacoes').values(hold).execute()
}

/** An open deletion of the last 50 days, with a recording and discarded candidates in them. */
async function seedApagamento(seeded: Seeded, now: number): Promise<void> {
  const { db, media, empresaId, edgeId, cameraId } = seeded
  const evento = await seedEvento(seeded, now - DAY_MS, { clip: 100 })
  const of = db.selectFrom('clipes_eventos').select('clipe_id').where('evento_id', '=', evento)
  const place = { empresa_id: empresaId, camera_id: cameraId }
  await db
    .insertInto('gravacoes')
    .values({
      ...place,
      uuid: randomUUID(),
      camera_nome: 'Portão',
      edge_id: edgeId,
      inicio: now - DAY_MS,
      fim: now,
      estado: 'recebida',
      progresso: 1,
      falha: null,
      clipe_id: of,
      completa: 1,
      relogio_json: null,
      pedida_por: 'Ana',
      criada_em: now,
      vaga_login: null,
      vaga_gravador: null,
    })
    .execute()
  for (let i = 0; i < 3; i += 1) {
    const caminho = `descartados/2026/11/21/${randomUUID()}.jpg`
    await media.put(caminho, JPEG)
    const times = { ocorrido_em: now - i * DAY_MS - 1, recebido_em: now }
    const texts = { tipo: 'invasao', motivo: 'x', omitidos: 0, dados_json: '{}' }
    await db
      .insertInto('descartados')
      .values({ ...place, ...times, ...texts, uuid: randomUUID(), caminho })
      .execute()
  }
  const none = { eventos: 0, gravacoes: 0, descartados: 0, preservados: 0, cameras_json: null, concluido_em: null }
  const period = { empresa_id: empresaId, vaga: empresaId, inicio: now - 50 * DAY_MS, fim: now + 50 * DAY_MS }
  const request = { motivo: 'x', pedido_por: 'Ana', pedido_em: now, total: 0 }
  await db
    .insertInto('apagamentos')
    .values({ ...none, ...period, ...request })
    .execute()
}

/** A database and files with events of all ages, clips above a size limit, and holds. Returns the Empresa. */
export async function seedRetention(dir: string, now: number): Promise<number> {
  await mkdir(dir, { recursive: true })
  const db = await openDatabase(join(dir, 'vigia.db'))
  const media = createFileMediaStore({ dir: join(dir, 'media') })
  const ids = await seedCamera(db)
  const { empresaId } = ids
  for (let i = 0; i < 40; i += 1) {
    const evento_id = await seedEvento({ db, media, ...ids }, now - (200 - i * 5) * DAY_MS, {
      ...(i % 3 !== 0 && { resposta: 'falso' }),
      isTraining: i % 5 === 0,
      ...(i % 2 === 0 && { clip: 100 }),
    })
    const hold = { evento_id, motivo: 'x', ate: now + DAY_MS, por: 'Ana', desde: now }
    if (i % 7 === 0) await db.insertInto('preservacoes').values(hold).execute()
  }
  for (let i = 0; i < 6; i += 1) await seedPassagem({ db, media, ...ids }, now - (150 - i * 25) * DAY_MS, i % 2 === 1)
  await seedApagamento({ db, media, ...ids }, now)
  const rules = [
    { empresa_id: empresaId, tipo: 'imagens', dias: 60, bytes: null },
    { empresa_id: empresaId, tipo: 'clipes', dias: 40, bytes: 500 },
  ] as const
  for (const rule of rules) await db.insertInto('retencoes').values(rule).execute()
  await db.destroy()
  return empresaId
}
