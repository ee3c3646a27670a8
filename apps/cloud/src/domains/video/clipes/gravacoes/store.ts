import { randomUUID } from 'node:crypto'
import type { ArquivoGravacao } from '@vigia/contracts/gravacoes'
import type { Insertable } from 'kysely'
import { type ClipeRow, takeGravacoes, wakeOrders } from '../../../../db/clipes.ts'
import { listForDeletion } from '../../../../db/midias-a-apagar.ts'
import type { Database } from '../../../../db/open.ts'
import type { GravacaoRow } from '../../../../db/rows.ts'
import type { Tables } from '../../../../db/tables.ts'
import { enqueueWork } from '../../../../db/work-queue/queue.ts'

type Vaga = 'vaga_login' | 'vaga_gravador'

/** The slots of a login, an edge or a recorder. */
export const slotsOf = (owner: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${owner}#${index}`)

/** Owner of the slots of a camera's recorder. */
export const gravadorOf = ({
  id,
  gravador_id,
}: {
  readonly id: number
  readonly gravador_id: number | null
}): string => (gravador_id === null ? `camera:${id}` : `gravador:${gravador_id}`)

const heldOf = async (tx: Database, column: Vaga, slots: readonly string[]) =>
  (await tx.selectFrom('gravacoes').select(column).where(column, 'in', slots).execute()).map((row) => row[column])

/** The first of `slots` that no fetch holds; undefined: none. */
export async function freeSlot(tx: Database, column: Vaga, slots: readonly string[]): Promise<string | undefined> {
  const held = await heldOf(tx, column, slots)
  return slots.find((slot) => !held.includes(slot))
}

/** Whether no fetch holds any of `slots`. */
export const areFree = async (tx: Database, column: Vaga, slots: readonly string[]): Promise<boolean> =>
  (await heldOf(tx, column, slots)).length === 0

const waiting = {
  estado: 'na_fila',
  progresso: 0,
  falha: null,
  clipe_id: null,
  completa: null,
  relogio_json: null,
} as const

/** Stores a request with its work item. undefined: another request took one of its slots meanwhile. */
export async function insertGravacao(
  tx: Database,
  request: Omit<Insertable<Tables['gravacoes']>, keyof typeof waiting | 'uuid' | 'criada_em'>,
  now: number,
): Promise<GravacaoRow | undefined> {
  const row = await tx
    .insertInto('gravacoes')
    .values({ ...request, ...waiting, uuid: randomUUID(), criada_em: now })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (row)
    await enqueueWork(tx, [{ tipo: 'gravacao', chave: String(row.id), empresaId: row.empresa_id, prioridade: 0 }], now)
  return row
}

/** `escopo`: ids of Empresas; null: all. */
export const findGravacao = (
  db: Database,
  id: number,
  escopo: readonly number[] | null = null,
): Promise<GravacaoRow | undefined> =>
  db
    .selectFrom('gravacoes')
    .selectAll()
    .where('id', '=', id)
    .$if(escopo !== null, (qb) => qb.where('empresa_id', 'in', escopo ?? []))
    .executeTakeFirst()

export const findFile = (db: Database, { clipe_id }: Pick<GravacaoRow, 'clipe_id'>) =>
  clipe_id === null ? undefined : db.selectFrom('clipes').selectAll().where('id', '=', clipe_id).executeTakeFirst()

/** Largest number of recordings in a list. */
const LISTED = 200

/** The recordings of a camera with their files, the newest request first. `empresaId`: the Empresa of the camera. */
export async function listGravacoes(
  db: Database,
  cameraId: number,
  empresaId: number,
): Promise<{ readonly row: GravacaoRow; readonly file: ClipeRow | undefined }[]> {
  const rows = await db
    .selectFrom('gravacoes')
    .selectAll()
    .where('empresa_id', '=', empresaId)
    .where('camera_id', '=', cameraId)
    .orderBy('id', 'desc')
    .limit(LISTED)
    .execute()
  const ids = rows.flatMap(({ clipe_id }) => (clipe_id === null ? [] : [clipe_id]))
  const files = ids.length === 0 ? [] : await db.selectFrom('clipes').selectAll().where('id', 'in', ids).execute()
  return rows.map((row) => ({ row, file: files.find(({ id }) => id === row.clipe_id) }))
}

const current = (tx: Database, id: number) =>
  tx.updateTable('gravacoes').where('id', '=', id).where('estado', 'in', ['na_fila', 'recebendo'])

export const saveProgress = async (
  tx: Database,
  id: number,
  state: Pick<GravacaoRow, 'estado' | 'progresso' | 'causa_json'>,
): Promise<void> => {
  await current(tx, id).set(state).execute()
}

const SLOTS_FREE = { vaga_login: null, vaga_gravador: null } as const

export const saveFailure = async (
  tx: Database,
  id: number,
  failure: Pick<GravacaoRow, 'falha' | 'causa_json'>,
): Promise<void> => {
  await current(tx, id)
    .set({ estado: 'falhou', ...failure, ...SLOTS_FREE })
    .execute()
}

/**
 * Stores the file that the edge holds as a wanted clip. It is also the clip of those events inside it for which the
 * edge has none. Nothing happens if the request was removed meanwhile.
 */
export async function saveFile(
  tx: Database,
  gravacao: Pick<GravacaoRow, 'id'>,
  { completa, relogio, fonte = 'gravador', incerta_ms, ...arquivo }: ArquivoGravacao,
  now: number,
): Promise<void> {
  const row = await current(tx, gravacao.id)
    .set({
      estado: 'recebida',
      progresso: 1,
      ...SLOTS_FREE,
      completa: completa ? 1 : 0,
      relogio_json: JSON.stringify(relogio),
      fonte,
      incerta_ms: incerta_ms ?? null,
    })
    .returningAll()
    .executeTakeFirst()
  if (!row) return
  const { uuid, empresa_id, camera_id, edge_id } = row
  const day = new Date(now).toISOString().slice(0, 10).replaceAll('-', '/')
  const clipe = await tx
    .insertInto('clipes')
    .values({
      ...arquivo,
      uuid,
      empresa_id,
      camera_id,
      edge_id,
      estado: 'na_caixa',
      motivo: null,
      desejado: 2,
      pedido_em: null,
      guardado_em: null,
      recebido_em: now,
      tira: null,
      caminho: `clipes/${day}/${uuid}.mp4`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.updateTable('gravacoes').set({ clipe_id: clipe.id }).where('id', '=', row.id).execute()
  const fim = arquivo.inicio + arquivo.duracao_ms
  // Nobody knows which events a file of an uncertain time shows.
  if (incerta_ms === undefined) await completeEventos(tx, row, { clipeId: clipe.id, inicio: arquivo.inicio, fim })
  await wakeOrders(tx, row, now)
}

async function completeEventos(
  tx: Database,
  { empresa_id, camera_id }: GravacaoRow,
  { clipeId, inicio, fim }: { readonly clipeId: number; readonly inicio: number; readonly fim: number },
): Promise<void> {
  const eventos = await tx
    .selectFrom('eventos')
    .innerJoin('clipes_eventos', 'clipes_eventos.evento_id', 'eventos.id')
    .select(['eventos.id', 'eventos.ocorrido_em'])
    .where('eventos.camera_id', '=', camera_id)
    .where('eventos.empresa_id', '=', empresa_id)
    .where('eventos.ocorrido_em', '>=', inicio)
    .where('eventos.ocorrido_em', '<=', fim)
    .where('clipes_eventos.clipe_id', 'is', null)
    .orderBy('eventos.id')
    .execute()
  for (const { id, ocorrido_em } of eventos)
    await tx
      .updateTable('clipes_eventos')
      .set({ clipe_id: clipeId, deslocamento_ms: ocorrido_em - inicio })
      .where('evento_id', '=', id)
      .where('clipe_id', 'is', null)
      .execute()
}

/** Deletes a recording with its copy on the edge, and lists its file for deletion. Returns the listed files. */
export async function deleteGravacao(tx: Database, id: number, now: number): Promise<string[]> {
  const files = await takeGravacoes(tx, { ids: [id] }, now)
  await listForDeletion(tx, files)
  return files
}
