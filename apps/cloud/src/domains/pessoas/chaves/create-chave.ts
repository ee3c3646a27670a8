import type { ChaveCreate, ChaveCriada } from '@vigia/contracts/chaves'
import { invalid, VigiaError } from '@vigia/contracts/errors'
import { auditChave } from '../../../audit/audit-chave.ts'
import { papelOfChave } from '../../../db/alcance.ts'
import { isUniqueViolation } from '../../../db/errors.ts'
import { lockLineage } from '../../../db/lineage.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, notFound, requireScope, requireWrite } from '../../../http/caller.ts'
import { requireQuota } from '../../../scope/require-quota.ts'
import { requireReach } from '../../../scope/require-reach.ts'
import { newKey } from './chave-token.ts'
import type { ChavesDeps } from './deps.ts'
import { insertKey } from './store.ts'
import { viewChave } from './view-chave.ts'

/**
 * Creates an API key of an Empresa and returns it with its secret, which is shown only once.
 * @throws VigiaError `proibido`, `nao_encontrado` (Empresa out of scope), `validacao` (no Empresa, end in the past),
 * `conflito` (name taken, limit reached)
 */
export async function createChave(
  { db, clock }: Pick<ChavesDeps, 'db' | 'clock'>,
  caller: Caller,
  input: ChaveCreate,
): Promise<ChaveCriada> {
  requireWrite(caller)
  const empresaId = input.empresa_id ?? caller.empresaId
  if (empresaId === null) throw invalid(['body', 'empresa_id'], 'Diga de qual Empresa é a chave', 'missing')
  requireScope(caller, empresaId)
  const now = clock.now()
  const validade = input.validade == null ? null : Date.parse(input.validade)
  if (validade !== null && validade <= now)
    throw invalid(['body', 'validade'], 'A validade já passou. Use uma data futura', 'date_future')

  const { chave, hash, inicio } = newKey()
  const { nome, escopo } = input
  const papel = papelOfChave(escopo)
  const alcance = await requireReach(db, caller, { papel, empresa_id: empresaId, alcance: input.alcance })
  const values = { nome, escopo, alcance, empresa_id: empresaId, chave_hash: hash, inicio, validade, criada_em: now }
  const insert = transact(db, async (tx) => {
    const lineage = await lockLineage(tx, empresaId)
    if (!lineage) throw notFound('Empresa não encontrada.')
    await requireQuota(tx, lineage, { tipo: 'chaves', quantos: 1, quem: caller, now })
    const created = await insertKey(tx, { ...values, usada_em: null })
    await auditChave(tx, now, caller, { antes: null, depois: created })
    return created
  })
  const row = await insert.catch((error) => {
    throw isUniqueViolation(error) ? nameTaken(error) : error
  })
  return { ...viewChave(row), chave }
}

const nameTaken = (cause: unknown) =>
  new VigiaError('conflito', { detalhe: 'A Empresa já tem uma chave com este nome. Escolha outro.', cause })
