import type { EmpresaRemovida } from '@vigia/contracts/empresas'
import { VigiaError } from '@vigia/contracts/errors'
import { lockLineage } from '../../../db/lineage.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, notFound, requireScope, requireWrite } from '../../../http/caller.ts'
import { hasChildren } from './removal-store.ts'
import { announceRemoval, beginRemoval, hasBelow, type RemoveEmpresaDeps } from './remove-empresa.ts'
import { hasEdges } from './store.ts'

export interface EndDemonstrationDeps extends RemoveEmpresaDeps {
  /** A demonstration was ended, so that its simulator stops. */
  readonly demonstrationEnded: () => void
}

const OPERATOR_ONLY = 'Só o operador da instalação encerra a demonstração. Peça a ele.'
const NOT_ONE = 'Esta Empresa não é uma demonstração, por isso não pode ser encerrada assim.'
const HAS_EDGES = 'Há caixas na demonstração, que perderiam o acesso. Remova-as em Caixas e tente outra vez.'

/**
 * Removes a demonstration like any Empresa, but without the password: it holds only simulated devices.
 * @throws VigiaError `proibido` (not the operator), `nao_encontrado`, `conflito` (no demonstration, or edges or
 * Empresas of customers in it).
 */
export async function endDemonstration(
  deps: EndDemonstrationDeps,
  caller: Caller,
  id: number,
): Promise<EmpresaRemovida> {
  requireWrite(caller)
  requireScope(caller, id)
  const done = await transact(deps.db, async (tx) => {
    const lineage = await lockLineage(tx, id)
    if (!lineage) throw notFound('Empresa não encontrada.')
    if (lineage.empresa.demonstracao === 0) throw new VigiaError('conflito', { detalhe: NOT_ONE })
    if (caller.escopo !== 'tudo') throw new VigiaError('proibido', { detalhe: OPERATOR_ONLY })
    if (await hasChildren(tx, id)) throw hasBelow()
    if (await hasEdges(tx, id)) throw new VigiaError('conflito', { detalhe: HAS_EDGES })
    return beginRemoval(tx, lineage, caller, deps.clock.now())
  })
  await announceRemoval(deps, done)
  deps.demonstrationEnded()
  return done.removida
}
