import type { VerificadorExterno } from '@vigia/contracts/verificador-externo'
import { serverOf } from '../../../adapters/verifier/settings.ts'
import { listEmpresas } from '../../../db/empresas.ts'
import type { Caller } from '../../../http/caller.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'
import { monthIn } from './month.ts'
import { listUsos } from './store.ts'
import { viewUso } from './view-verificador-externo.ts'
import type { VlmDeps } from './vlm-account.ts'

/**
 * The service and its use in the current month, for each Empresa in scope.
 * @throws VigiaError `nao_encontrado` (Empresa out of scope)
 */
export async function showVerificadorExterno(
  { db, clock, settings }: VlmDeps,
  caller: Caller,
  empresaId: number | undefined,
): Promise<VerificadorExterno> {
  const empresas = await listEmpresas(db, await narrowScope(db, caller, empresaId))
  const now = clock.now()
  const months = new Map(
    [...new Set(empresas.map((each) => each.fuso_horario))].map((fuso) => [fuso, monthIn(fuso, now)]),
  )
  const usos = await listUsos(db, [...new Set(months.values())])
  const of = new Map(usos.map((uso) => [`${uso.empresa_id} ${uso.mes}`, uso]))
  return {
    servico: settings && { servidor: serverOf(settings), modelo: settings.modelo, moeda: settings.moeda },
    empresas: empresas.map((empresa) => {
      const mes = months.get(empresa.fuso_horario) ?? ''
      return viewUso(empresa, settings, mes, of.get(`${empresa.id} ${mes}`))
    }),
  }
}
