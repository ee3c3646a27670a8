import { invalid } from '@vigia/contracts/errors'

/** Records of some cameras of one Empresa in a period that has ended. Times are epoch ms, `fim` exclusive. */
export interface Periodo {
  readonly empresaId: number
  /** null: all cameras. */
  readonly cameras: readonly number[] | null
  readonly inicio: number
  readonly fim: number
}

interface PeriodoPedido {
  readonly inicio?: string | undefined
  readonly fim?: string | undefined
  readonly cameras?: readonly number[] | null | undefined
}

/**
 * The period of a request.
 * @param where part of the request that names it in errors
 * @throws VigiaError `validacao`
 */
export function readPastPeriod(
  empresaId: number,
  { inicio, fim, cameras }: PeriodoPedido,
  { where, now }: { readonly where: 'query' | 'body'; readonly now: number },
): Periodo {
  const periodo = {
    empresaId,
    cameras: cameras ?? null,
    inicio: inicio === undefined ? 0 : Date.parse(inicio),
    fim: fim === undefined ? now : Date.parse(fim),
  }
  if (periodo.fim <= periodo.inicio) throw invalid([where, 'fim'], 'O fim precisa ser depois do começo')
  if (periodo.fim > now) throw invalid([where, 'fim'], 'O período ainda não terminou: escolha um fim que já passou')
  return periodo
}
