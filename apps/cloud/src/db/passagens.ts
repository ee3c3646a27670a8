import type { Database } from './open.ts'
import type { PassagemRow } from './rows.ts'

type Pictures = Pick<PassagemRow, 'foto_path' | 'foto_placa_path' | 'dataset_path'>

/** Files of a passage. A plate in the training data has a line beside it. */
export const filesOfPassagem = ({ foto_path, foto_placa_path, dataset_path }: Pictures): string[] =>
  [foto_path, foto_placa_path, dataset_path, dataset_path?.replace(/\.jpg$/, '.json')].flatMap((path) => path ?? [])

export const findPassage = (db: Database, id: number): Promise<PassagemRow | undefined> =>
  db.selectFrom('passagens').selectAll().where('id', '=', id).executeTakeFirst()

/**
 * Deletes up to `limit` passages of an Empresa with their records, the oldest first. Their events stay, without the
 * picture.
 * @param before only those that arrived before this time, in epoch ms
 * @returns times of arrival, and the files that nothing names any more
 */
export async function deletePassages(
  tx: Database,
  { empresaId, before, limit }: { readonly empresaId: number; readonly before: number; readonly limit: number },
): Promise<{ readonly times: number[]; readonly files: string[] }> {
  const chosen = tx
    .selectFrom('passagens')
    .select('id')
    .where('empresa_id', '=', empresaId)
    .where('recebida_em', '<', before)
    .orderBy('recebida_em')
    .limit(limit)
  const rows = await tx
    .deleteFrom('passagens')
    .where('id', 'in', (eb) => eb.selectFrom(chosen.as('c')).select('c.id'))
    .returning(['id', 'recebida_em', 'evento_id', 'foto_path', 'foto_placa_path', 'dataset_path'])
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await tx.deleteFrom('registros_passagem').where('passagem_id', 'in', ids).execute()
  const files = rows.flatMap(filesOfPassagem)
  const eventos = rows.flatMap(({ evento_id }) => evento_id ?? [])
  if (eventos.length > 0)
    await tx
      .updateTable('eventos')
      .set({ crop_path: null })
      .where('id', 'in', eventos)
      .where('crop_path', 'in', files)
      .execute()
  return { times: rows.map(({ recebida_em }) => recebida_em), files }
}
