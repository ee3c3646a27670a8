import { invalid, VigiaError } from '@vigia/contracts/errors'
import type { Horarios, ListaFeriados } from '@vigia/contracts/horarios'
import { auditEmpresa } from '../../../audit/audit-empresa.ts'
import { horariosOf } from '../../../db/camera-fields.ts'
import { raiseDesiredVersion } from '../../../db/desired-version.ts'
import { findEmpresa } from '../../../db/empresas.ts'
import { lockLineage } from '../../../db/lineage.ts'
import type { Database } from '../../../db/open.ts'
import type { EmpresaRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, notFound, requireScope, requireWrite } from '../../../http/caller.ts'
import type { DesiredDeps } from '../edges/desired-deps.ts'
import { listHolidayCameras, saveFeriados } from './feriados-store.ts'

const listsOf = ({ feriados_json }: EmpresaRow): ListaFeriados[] => JSON.parse(feriados_json)

/** @throws VigiaError `nao_encontrado` */
export async function getFeriados(db: Database, caller: Caller, empresaId: number): Promise<ListaFeriados[]> {
  requireScope(caller, empresaId)
  const row = await findEmpresa(db, empresaId)
  if (!row) throw notFound('Empresa não encontrada.')
  return listsOf(row)
}

/**
 * Replaces the lists of holidays of an Empresa, and sends the dates to the edges of the cameras that follow one.
 * @throws VigiaError `proibido`, `nao_encontrado`, `conflito` (a camera follows a list that would be gone)
 */
export async function putFeriados(
  deps: DesiredDeps,
  caller: Caller,
  empresaId: number,
  listas: readonly ListaFeriados[],
): Promise<ListaFeriados[]> {
  requireWrite(caller)
  requireScope(caller, empresaId)
  const sorted = listas.map(({ nome, datas }) => ({ nome, datas: datas.toSorted() }))
  const edges = await transact(deps.db, async (tx) => {
    const lineage = await lockLineage(tx, empresaId)
    if (!lineage) throw notFound('Empresa não encontrada.')
    const cameras = await listHolidayCameras(tx, empresaId)
    const names = new Set(sorted.map(({ nome }) => nome))
    const orphan = cameras.find((camera) => !names.has(horariosOf(camera).feriados?.lista ?? ''))
    if (orphan)
      throw new VigiaError('conflito', {
        detalhe:
          `A câmera "${orphan.nome}" usa a lista "${horariosOf(orphan).feriados?.lista}". ` +
          'Tire a lista dos horários da câmera, ou deixe a lista com este nome.',
      })
    const after = await saveFeriados(tx, empresaId, JSON.stringify(sorted))
    await auditEmpresa(tx, deps.clock.now(), caller, { antes: lineage.empresa, depois: after })
    const concerned = [...new Set(cameras.flatMap(({ edge_id }) => edge_id ?? []))].sort((a, b) => a - b)
    for (const edgeId of concerned) await raiseDesiredVersion(tx, edgeId)
    return concerned
  })
  for (const edgeId of edges) deps.desired.changed(edgeId)
  return sorted
}

/** @throws VigiaError `validacao` if the Empresa has no list of this name */
export function requireFeriados(empresa: EmpresaRow, horarios: Horarios | undefined): void {
  const lista = horarios?.feriados?.lista
  if (lista !== undefined && !listsOf(empresa).some(({ nome }) => nome === lista))
    throw invalid(['body', 'feriados', 'lista'], 'A Empresa não tem lista de feriados com este nome')
}
