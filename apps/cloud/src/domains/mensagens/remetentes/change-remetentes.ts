import { invalid, VigiaError } from '@vigia/contracts/errors'
import {
  type Remetentes,
  type RemetentesPatch,
  type TipoRemetente,
  tiposRemetente,
  valoresRemetente,
} from '@vigia/contracts/remetentes'
import { secretPurposes } from '../../../adapters/secret-purposes.ts'
import { auditRemetente } from '../../../audit/audit-remetente.ts'
import type { Database } from '../../../db/open.ts'
import type { RemetenteRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import { type Caller, requireLogin } from '../../../http/caller.ts'
import type { RemetentesDeps } from './deps.ts'
import { lockRemetente, updateRemetente } from './store.ts'
import { isFromEnv } from './stored-settings.ts'
import { requireOperator, viewRemetentes } from './view-remetentes.ts'

/** Field of the password or token in a body, and the value whose change needs it again. */
const secretFields = {
  email: { field: 'senha', bound: 'servidor' },
  whatsapp: { field: 'token', bound: 'account_sid' },
  telegram: { field: 'token', bound: null },
} as const

/**
 * Replaces the sent kinds; null removes one.
 * @throws VigiaError `proibido`; `conflito`: the environment sets this kind; `validacao`: a missing secret
 */
export async function changeRemetentes(
  deps: RemetentesDeps,
  caller: Caller,
  patch: RemetentesPatch,
): Promise<Remetentes> {
  requireOperator(caller)
  requireLogin(caller)
  await transact(deps.db, async (tx) => {
    for (const tipo of tiposRemetente) {
      const sent = patch[tipo]
      if (sent === undefined) continue
      if (isFromEnv(deps.env, tipo)) throw fromEnv(tipo)
      await changeOne(deps, caller, tx, tipo, sent)
    }
  })
  return viewRemetentes(deps, caller)
}

const fromEnv = (tipo: TipoRemetente) =>
  new VigiaError('conflito', {
    detalhe: `As variáveis de ambiente do servidor definem o remetente ${tipo}: mude-as lá, ou tire-as de lá.`,
  })

async function changeOne(
  { clock, box }: RemetentesDeps,
  caller: Caller,
  tx: Database,
  tipo: TipoRemetente,
  sent: NonNullable<RemetentesPatch[TipoRemetente]> | null,
): Promise<void> {
  const before = await lockRemetente(tx, tipo)
  const now = clock.now()
  if (sent === null) {
    const after = await updateRemetente(tx, tipo, { valores_json: null, segredo_cifrado: null })
    return auditRemetente(tx, now, caller, { antes: before, depois: after, segredos: [] })
  }
  const { field, bound } = secretFields[tipo]
  const { [field]: secret, ...rest } = sent as Record<string, unknown>
  const valores: Record<string, unknown> = valoresRemetente[tipo].parse(rest)
  const segredo_cifrado =
    typeof secret === 'string'
      ? box.seal(secret, secretPurposes.remetenteSegredo(before.id))
      : keptSecret(before, valores, { tipo, field, bound })
  const after = await updateRemetente(tx, tipo, { valores_json: JSON.stringify(valores), segredo_cifrado })
  const segredos = typeof secret === 'string' ? [field] : []
  await auditRemetente(tx, now, caller, { antes: before, depois: after, segredos })
}

/** The stored secret stays only with the server or account that it was given for. */
function keptSecret(
  before: RemetenteRow,
  valores: Record<string, unknown>,
  { tipo, field, bound }: { readonly tipo: TipoRemetente; readonly field: string; readonly bound: string | null },
): string | null {
  if (tipo === 'email' && valores.usuario === null) return null
  const same = bound === null || JSON.parse(before.valores_json ?? '{}')[bound] === valores[bound]
  if (same && before.segredo_cifrado !== null) return before.segredo_cifrado
  throw invalid(['body', tipo, field], 'Campo obrigatório: mande-o também quando o servidor ou a conta muda', 'missing')
}
