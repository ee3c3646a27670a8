import { invalid } from '@vigia/contracts/errors'
import type { PassagemDeTurno, PassagemDeTurnoCreate } from '@vigia/contracts/livro'
import type { Clock } from '../../../adapters/clock.ts'
import { auditOf } from '../../../audit/audit-change.ts'
import { findEmpresa } from '../../../db/empresas.ts'
import type { Database } from '../../../db/open.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, callerName, requireWork } from '../../../http/caller.ts'
import { requireEmpresa } from '../../../scope/require-empresa.ts'
import { insertHandOver, type PassagemDeTurnoRow } from './store.ts'

export interface LivroDeps {
  readonly db: Database
  readonly clock: Clock
}

interface Named {
  /** Name of the Empresa. */
  readonly nome: string | null
}

/** Writes a hand-over to the audit log, as a change of its Empresa. */
const auditHandOver = auditOf('empresa', ({ empresa_id, texto, nome }: PassagemDeTurnoRow & Named) => ({
  id: empresa_id,
  nome,
  empresaId: empresa_id,
  campos: { passagem_de_turno: texto },
}))

export const viewHandOver = ({ em, ...row }: PassagemDeTurnoRow): PassagemDeTurno => ({
  ...row,
  em: new Date(em).toISOString(),
})

/** @throws VigiaError `proibido`, `nao_encontrado`, `validacao` (no Empresa) */
export async function writeHandOver(
  { db, clock }: LivroDeps,
  caller: Caller,
  input: PassagemDeTurnoCreate,
): Promise<PassagemDeTurno> {
  requireWork(caller)
  const empresa_id = input.empresa_id ?? caller.empresaId
  if (empresa_id === null) throw invalid(['body', 'empresa_id'], 'Diga de qual Empresa é a passagem', 'missing')
  await requireEmpresa(db, caller, empresa_id)
  return transact(db, async (tx) => {
    const now = clock.now()
    const row = await insertHandOver(tx, { empresa_id, autor: callerName(caller), texto: input.texto, em: now })
    const nome = (await findEmpresa(tx, empresa_id))?.nome ?? null
    await auditHandOver(tx, now, caller, { acao: 'alterar', antes: null, depois: { ...row, nome } })
    return viewHandOver(row)
  })
}
