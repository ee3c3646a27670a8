import type { ErroVerificadorExterno } from '@vigia/contracts/verificador-externo'
import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'

/** `candidato`: the service refused this one, or its answer is unusable. `servico`: it would fail for every one. */
type FailedUnit = 'candidato' | 'servico'

/** Pauses of the external verifier: for all, or for an Empresa whose candidates keep failing. */
export interface VlmPauses {
  isPaused(empresaId: number): boolean
  /** The service gave a usable answer about a candidate of the Empresa. */
  answered(empresaId: number): void
  /** A candidate has no usable answer. Returns what it counts for, and the pause that begins, ms; null: none. */
  failed(
    empresaId: number,
    erro: ErroVerificadorExterno,
    retryAfterMs: number | null,
  ): { readonly of: FailedUnit; readonly pauseMs: number | null }
}

/** Failures that say something about one candidate. */
const ofCandidate: readonly ErroVerificadorExterno[] = ['pedido', 'resposta', 'recusa']
/** Candidates of one Empresa in a row without a usable answer, after which the Empresa pauses. */
export const CANDIDATES_IN_A_ROW = 3

interface Pause {
  failures: number
  until: number
}

/**
 * Each replica has pauses of its own: a service that fails gets one call in vain from each of them for each pause.
 * @param monotonic ms
 */
export function createVlmPauses(limits: BackoffLimits, monotonic: () => number): VlmPauses {
  const service: Pause = { failures: 0, until: 0 }
  const empresas = new Map<number, Pause>()
  /** The Empresa of the last time-out, if no answer came since. */
  let timedOut: number | null = null

  function pause(unit: Pause, retryAfterMs: number | null, tolerated: number): number | null {
    const now = monotonic()
    // Calls that ran at the same time count as one failure.
    if (now < unit.until) return null
    unit.failures += 1
    if (unit.failures <= tolerated) return null
    const pauseMs = Math.min(limits.maxMs, Math.max(backoffMs(unit.failures - tolerated, limits), retryAfterMs ?? 0))
    unit.until = now + pauseMs
    return pauseMs
  }

  function ofEmpresa(empresaId: number): Pause {
    const now = monotonic()
    for (const [id, { until }] of empresas) if (until > 0 && now - until > limits.maxMs) empresas.delete(id)
    const known = empresas.get(empresaId) ?? { failures: 0, until: 0 }
    empresas.set(empresaId, known)
    return known
  }

  return {
    isPaused: (empresaId) => monotonic() < Math.max(service.until, empresas.get(empresaId)?.until ?? 0),
    answered(empresaId) {
      service.failures = 0
      timedOut = null
      empresas.delete(empresaId)
    },
    failed(empresaId, erro, retryAfterMs) {
      if (ofCandidate.includes(erro))
        return { of: 'candidato', pauseMs: pause(ofEmpresa(empresaId), retryAfterMs, CANDIDATES_IN_A_ROW - 1) }
      // Texts of one Empresa can make a model slow. Time-outs of two Empresas in a row are the service's.
      if (erro === 'tempo' && (timedOut ?? empresaId) === empresaId) {
        timedOut = empresaId
        return { of: 'candidato', pauseMs: pause(ofEmpresa(empresaId), retryAfterMs, 0) }
      }
      return { of: 'servico', pauseMs: pause(service, retryAfterMs, 0) }
    },
  }
}
