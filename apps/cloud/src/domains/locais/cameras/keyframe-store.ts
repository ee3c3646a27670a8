import { ONVIF } from '@vigia/contracts/fabricantes'
import type { Database } from '../../../db/open.ts'
import type { GravadorRow } from '../../../db/rows.ts'

/** The cameras of an edge whose ONVIF device has refused no request for a keyframe, by id. */
export const listSyncable = (db: Database, edgeId: number) =>
  db
    .selectFrom('cameras')
    .innerJoin('gravadores', 'gravadores.id', 'cameras.gravador_id')
    .select(['cameras.id', 'cameras.canal', 'cameras.quadro_chave_ms', 'gravadores.id as gravador_id'])
    .where('cameras.edge_id', '=', edgeId)
    .where('cameras.ativa', '=', 1)
    .where('gravadores.fabricante', '=', ONVIF)
    .where('gravadores.sem_sincronia', '=', 0)
    .orderBy('cameras.id')
    .execute()

/** Stores that the device refused. No effect if its address or login has changed since `asked` was read. */
export const saveRefusal = async (db: Database, asked: GravadorRow): Promise<void> => {
  await db
    .updateTable('gravadores')
    .set({ sem_sincronia: 1 })
    .where('id', '=', asked.id)
    .where('host', '=', asked.host)
    .where('porta', '=', asked.porta)
    .where('usuario', '=', asked.usuario)
    .where('senha_cifrada', '=', asked.senha_cifrada)
    .where('senha_em_texto', '=', asked.senha_em_texto)
    .execute()
}
