import { heldPassagens } from './held-eventos.ts'
import { uncountRecords } from './media-bytes.ts'
import { listForDeletion } from './midias-a-apagar.ts'
import type { Database } from './open.ts'
import type { PassagemRow } from './rows.ts'

type Pictures = Pick<PassagemRow, 'foto_path' | 'foto_placa_path' | 'dataset_path'>

/** Files of a passage. A plate in the training data has a line beside it. */
export const filesOfPassagem = ({ foto_path, foto_placa_path, dataset_path }: Pictures): string[] =>
  [foto_path, foto_placa_path, dataset_path, dataset_path?.replace(/\.jpg$/, '.json')].flatMap((path) => path ?? [])

export const findPassage = (db: Database, id: number): Promise<PassagemRow | undefined> =>
  db.selectFrom('passagens').selectAll().where('id', '=', id).executeTakeFirst()

/** Deleted passages: their times of arrival, and their files, which are listed for deletion. */
export interface TakenPassages {
  readonly times: readonly number[]
  readonly files: readonly string[]
}

/**
 * Deletes these passages with their records, and lists their files for deletion. Their events stay, without the
 * picture.
 * @param now passages that a hold keeps at this time stay; null: the Empresa goes, with what is preserved
 */
export async function takePassages(tx: Database, ids: readonly number[], now: number | null): Promise<TakenPassages> {
  if (ids.length === 0) return { times: [], files: [] }
  const due = now === null ? ids : await lockUnheld(tx, ids, now)
  if (due.length === 0) return { times: [], files: [] }
  const rows = await tx
    .deleteFrom('passagens')
    .where('id', 'in', due)
    .returning([
      'empresa_id',
      'linha_bytes',
      'recebida_em',
      'evento_id',
      'foto_path',
      'foto_placa_path',
      'dataset_path',
    ])
    .execute()
  uncountRecords(
    tx,
    rows.map(({ empresa_id, linha_bytes }) => ({ empresaId: empresa_id, bytes: linha_bytes })),
  )
  await tx.deleteFrom('registros_passagem').where('passagem_id', 'in', due).execute()
  const files = rows.flatMap(filesOfPassagem)
  const eventos = rows.flatMap(({ evento_id }) => evento_id ?? [])
  if (files.length > 0)
    await tx
      .updateTable('eventos')
      .set({ crop_path: null })
      .where((eb) => eb.or([eb('passagem_id', 'in', due), ...(eventos.length > 0 ? [eb('id', 'in', eventos)] : [])]))
      .where('crop_path', 'in', files)
      .execute()
  await listForDeletion(tx, files)
  return { times: rows.map(({ recebida_em }) => recebida_em), files }
}

/** Locks the passages, then their events, and reads the holds: a hold locks its event first. */
export async function lockUnheld(tx: Database, ids: readonly number[], now: number): Promise<number[]> {
  const rows = await tx
    .updateTable('passagens')
    .set((eb) => ({ camera_nome: eb.ref('camera_nome') }))
    .where('id', 'in', ids)
    .returning('id')
    .execute()
  await tx
    .updateTable('eventos')
    .set((eb) => ({ camera_nome: eb.ref('camera_nome') }))
    .where('passagem_id', 'in', ids)
    .execute()
  const kept = await tx.selectFrom(heldPassagens(tx, now).as('h')).select('h.id').where('h.id', 'in', ids).execute()
  const held = new Set(kept.map(({ id }) => Number(id)))
  return rows.flatMap(({ id }) => (held.has(id) ? [] : id))
}

/** Passages of an Empresa, without those that a hold keeps at `now`; null: all. */
export const passagesOf = (db: Database, empresaId: number, now: number | null) =>
  db
    .selectFrom('passagens')
    .where('empresa_id', '=', empresaId)
    .$if(now !== null, (qb) => qb.where('passagens.id', 'not in', heldPassagens(db, now ?? 0)))
