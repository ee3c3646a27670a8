import type { Database } from '../../db/open.ts'

/** Sets a limit, also one below the least that the API accepts. */
export const fillWithLimit = async (db: Database, empresaId: number, limite_bytes: number): Promise<void> => {
  await db.updateTable('empresas').set({ limite_bytes }).where('id', '=', empresaId).execute()
}

/** The state of an upgraded installation: files and records are stored, and none is counted. */
export async function forgetCount(db: Database): Promise<void> {
  await db.deleteFrom('midias').execute()
  await db.deleteFrom('uso_midia').execute()
  for (const table of ['eventos', 'passagens'] as const) await db.updateTable(table).set({ linha_bytes: 0 }).execute()
  await db.updateTable('contagem_midia').set({ depois: 0, feita: 0 }).execute()
}

export const hold = async (db: Database, evento_id: number, ate: number): Promise<void> => {
  await db.insertInto('preservacoes').values({ evento_id, motivo: 'x', ate, por: 'Ana', desde: 1 }).execute()
}

export const listPictures = (db: Database) =>
  db.selectFrom('eventos').select(['id', 'gravidade', 'crop_path', 'detalhes_json']).orderBy('id').execute()

export const readWaiting = (db: Database, empresaId: number) =>
  db.selectFrom('uso_midia').selectAll().where('empresa_id', '=', empresaId).executeTakeFirst()

export const usedBytes = async (db: Database, empresaId: number): Promise<number> =>
  Number((await readWaiting(db, empresaId))?.bytes ?? 0)

export async function queuedMessages(db: Database): Promise<unknown[]> {
  const rows = await db.selectFrom('entregas').select('mensagem_json').orderBy('id').execute()
  return rows.map(({ mensagem_json }) => JSON.parse(mensagem_json))
}
