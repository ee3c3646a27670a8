import type { Clock } from '../../../adapters/clock.ts'
import { serverOf, type VlmSettings } from '../../../adapters/verifier/settings.ts'
import type { VlmAccount } from '../../../adapters/verifier/vlm-account.ts'
import { findEmpresa } from '../../../db/empresas.ts'
import type { Database } from '../../../db/open.ts'
import type { EmpresaRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import { monthIn } from './month.ts'
import { addResult, findUso, reserveCall } from './store.ts'

export interface VlmDeps {
  readonly db: Database
  readonly clock: Clock
  /** null: the operator configured no endpoint. */
  readonly settings: VlmSettings | null
}

/** Whether the administrador of the Empresa accepted this server. The acceptance of another server does not count. */
export const isAccepted = ({ vlm_servidor }: EmpresaRow, settings: VlmSettings | null): boolean =>
  settings !== null && vlm_servidor === serverOf(settings)

export const limitOf = ({ vlm_chamadas_mes }: EmpresaRow, settings: VlmSettings | null): number =>
  vlm_chamadas_mes ?? settings?.chamadasMes ?? 0

/** Consent and budget of the Empresas, in the database. */
export function createVlmAccount({ db, clock, settings }: VlmDeps): VlmAccount {
  const planOf = (empresa: EmpresaRow) =>
    isAccepted(empresa, settings)
      ? { mes: monthIn(empresa.fuso_horario, clock.now()), limite: limitOf(empresa, settings) }
      : null
  // The price per million tokens is the price of a token in millionths.
  const microsOf = (tokensEntrada: number, tokensSaida: number) =>
    Math.ceil(tokensEntrada * (settings?.precoEntrada ?? 0) + tokensSaida * (settings?.precoSaida ?? 0))

  return {
    async refusal(empresaId) {
      const empresa = await findEmpresa(db, empresaId)
      const plan = empresa ? planOf(empresa) : null
      if (plan === null) return 'desligado'
      const uso = await findUso(db, empresaId, plan.mes)
      return Number(uso?.chamadas ?? 0) < plan.limite ? null : 'esgotado'
    },
    async reserve(empresaId) {
      const counted = await transact(db, (tx) => reserveCall(tx, empresaId, planOf))
      if (counted === null) return 'desligado'
      if (!counted.isCounted) return 'esgotado'
      return {
        settle: ({ erro, tokensEntrada, tokensSaida }) => {
          const precoMicros = microsOf(tokensEntrada, tokensSaida)
          return addResult(db, empresaId, counted.mes, { erro, tokensEntrada, tokensSaida, precoMicros }, clock.now())
        },
      }
    },
  }
}
