import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'
import type { FalhaVerificacao } from './interface.ts'

/** Pauses of an Empresa whose candidates hang. */
export const HUNG_PAUSE: BackoffLimits = { minMs: 5_000, maxMs: 300_000, jitter: [0.75, 1.25] }

/** Empresas whose candidates hang a process. Each pauses alone, so that the candidates of others pass. */
export interface HungCandidates {
  isPaused(empresaId: number | undefined): boolean
  /** A process answered about a candidate. */
  answered(): void
  /**
   * A process hung. The candidate is at fault, unless the last one, of another Empresa, hung as well: then the service
   * is, and nobody pauses.
   */
  hung(empresaId: number | undefined): FalhaVerificacao
}

interface Pause {
  times: number
  until: number
}

/** @param monotonic ms */
export function createHungCandidates(monotonic: () => number, limits: BackoffLimits = HUNG_PAUSE): HungCandidates {
  const empresas = new Map<number, Pause>()
  /** Empresa of the last candidate, if it hung. */
  let last: { readonly empresaId: number | undefined } | null = null
  return {
    isPaused: (empresaId) => empresaId !== undefined && monotonic() < (empresas.get(empresaId)?.until ?? 0),
    answered() {
      last = null
    },
    hung(empresaId) {
      const now = monotonic()
      const before = last
      last = { empresaId }
      if (before !== null && before.empresaId !== empresaId) return 'indisponivel'
      for (const [id, { until }] of empresas) if (now - until > limits.maxMs) empresas.delete(id)
      if (empresaId === undefined) return 'imagem_ilegivel'
      const times = (empresas.get(empresaId)?.times ?? 0) + 1
      empresas.set(empresaId, { times, until: now + backoffMs(times, limits) })
      return 'imagem_ilegivel'
    },
  }
}
