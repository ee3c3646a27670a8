import type { Database } from './open.ts'
import type { CanalRow } from './rows.ts'

/** Whether programs read the messages of this kind of canal. */
export const opensGates = ({ tipo }: Pick<CanalRow, 'tipo'>): boolean => tipo === 'webhook' || tipo === 'mqtt'

/** The canal, if it belongs to that Empresa. */
export const findGateCanal = (db: Database, id: number, empresaId: number): Promise<CanalRow | undefined> =>
  db
    .selectFrom('canais_notificacao')
    .selectAll()
    .where('id', '=', id)
    .where('empresa_id', '=', empresaId)
    .executeTakeFirst()
