import { camerasNamed } from './canal-fields.ts'
import type { Database } from './open.ts'
import type { CanalRow } from './rows.ts'

/** The canais of an Empresa that leave retained messages about its cameras at a broker of the customer. */
export const listMqttCanais = (db: Database, empresaId: number): Promise<CanalRow[]> =>
  db
    .selectFrom('canais_notificacao')
    .selectAll()
    .where('empresa_id', '=', empresaId)
    .where('tipo', '=', 'mqtt')
    .orderBy('id')
    .execute()

/** The cameras that a canal may have published. */
export async function camerasOfCanal(db: Database, canal: CanalRow): Promise<number[]> {
  const { tipo, empresa_id } = canal
  if (tipo !== 'mqtt') return []
  const named = camerasNamed(canal)
  if (named.length > 0) return named
  const rows = await db.selectFrom('cameras').select('id').where('empresa_id', '=', empresa_id).orderBy('id').execute()
  return rows.map(({ id }) => id)
}
