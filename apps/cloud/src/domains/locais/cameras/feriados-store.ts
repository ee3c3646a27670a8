import type { Database } from '../../../db/open.ts'
import type { EmpresaRow } from '../../../db/rows.ts'

export const saveFeriados = (tx: Database, empresaId: number, feriados_json: string): Promise<EmpresaRow> =>
  tx.updateTable('empresas').set({ feriados_json }).where('id', '=', empresaId).returningAll().executeTakeFirstOrThrow()

/** The cameras of an Empresa with holidays. */
export const listHolidayCameras = (tx: Database, empresaId: number) =>
  tx
    .selectFrom('cameras')
    .select(['id', 'nome', 'edge_id', 'agenda_json', 'horarios_json'])
    .where('empresa_id', '=', empresaId)
    .where('horarios_json', 'like', '%"feriados"%')
    .orderBy('id')
    .execute()
