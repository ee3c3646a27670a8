import { type Empresa, type EmpresaCreate, FUSO_PADRAO } from '@vigia/contracts/empresas'
import { VigiaError } from '@vigia/contracts/errors'
import type { Clock } from '../../../adapters/clock.ts'
import { auditEmpresa } from '../../../audit/audit-empresa.ts'
import { rootOf, subtreeIds } from '../../../db/empresas.ts'
import { lockLineage } from '../../../db/lineage.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, notFound, requireWrite } from '../../../http/caller.ts'
import { effectiveLimits } from '../quotas/effective-limits.ts'
import { initialLimits, requireLimitRights } from './set-limits.ts'
import { insertEmpresa } from './store.ts'
import { viewEmpresa } from './view-empresa.ts'

/**
 * Largest number of Empresas in one tree. The scope of the administrator at the top lists all of them in every query.
 * Without a bound, one client account could make requests of the accounts above it too slow.
 */
export const EMPRESAS_POR_ARVORE = 10_000

/**
 * Creates an Empresa below the caller's own; the operator creates a root.
 * @throws VigiaError `proibido`, `nao_encontrado`, `conflito` (the tree is full), `validacao` (a limit above the
 * parent's).
 */
export async function createEmpresa(
  deps: { readonly db: Database; readonly clock: Clock },
  caller: Caller,
  input: EmpresaCreate,
): Promise<Empresa> {
  requireWrite(caller)
  requireLimitRights(caller, null, input)
  if (input.demonstracao && caller.empresaId !== null) throw new VigiaError('proibido', { detalhe: OPERATOR_ONLY })
  // A new Empresa is in no list, and not within the own one.
  if (caller.alcance !== 'abaixo') throw new VigiaError('proibido', { detalhe: BEYOND_REACH })
  return await transact(deps.db, async (tx) => {
    const lineage = caller.empresaId === null ? null : await lockLineage(tx, caller.empresaId)
    // The removal of the caller's Empresa may have begun after the caller was authenticated.
    if (lineage === undefined) throw notFound('Empresa não encontrada.')
    const above = lineage?.chain ?? []
    if (caller.empresaId !== null) await requireSpace(tx, caller.empresaId)
    const now = deps.clock.now()
    const created = await insertEmpresa(tx, {
      nome: input.nome,
      empresa_pai_id: caller.empresaId,
      fuso_horario: input.fuso_horario ?? FUSO_PADRAO,
      ...initialLimits(input, above),
      limite_bytes: input.limite_bytes ?? null,
      demonstracao: input.demonstracao ? 1 : 0,
      // The local edge stands in a network of the operator.
      usa_edge_local: caller.escopo === 'tudo' ? 1 : 0,
      criada_em: now,
    })
    await auditEmpresa(tx, now, caller, { antes: null, depois: created })
    return viewEmpresa(created, effectiveLimits([created, ...above]))
  })
}

const BEYOND_REACH =
  'O alcance deste login não inclui Empresas novas. Peça a quem administra a conta com as Empresas abaixo dela.'
const OPERATOR_ONLY = 'Só o operador da instalação cria uma demonstração. Peça a ele.'

async function requireSpace(tx: Database, empresaId: number): Promise<void> {
  const { size } = await subtreeIds(tx, await rootOf(tx, empresaId))
  if (size >= EMPRESAS_POR_ARVORE)
    throw new VigiaError('conflito', {
      detalhe: `A conta já tem ${EMPRESAS_POR_ARVORE} Empresas, o máximo de uma conta com as que estão abaixo dela.`,
    })
}
