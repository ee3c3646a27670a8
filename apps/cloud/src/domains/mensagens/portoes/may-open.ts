import type { ModoBConfig } from '@vigia/contracts/cameras'
import type { SituacaoPlaca } from '@vigia/contracts/passagens'
import type { RegistroPassagem } from '@vigia/contracts/registro-passagem'

/** Time after the reading in which a gate may open, in ms: later, another vehicle may stand there. */
export const OPEN_WITHIN_MS = 15_000

export interface GateCase {
  readonly registro: Pick<RegistroPassagem, 'placa' | 'fim' | 'ocorrido_em' | 'relogio'>
  readonly situacao: SituacaoPlaca | null
  readonly config: ModoBConfig | null
  /** A person has corrected the reading: the plate of the record is then not the matched one. */
  readonly isCorrected: boolean
  /** The record waited on the edge. */
  readonly retroativo: boolean
  /** Time of the former opening by this passage; null: none. */
  readonly portaoEm: number | null
}

/**
 * Whether a record of a passage opens the gate of its camera. The plate must be on a list exactly as it was read, above
 * the gate's own threshold, while the vehicle is still there. One passage opens once.
 * @param now cloud clock in epoch ms
 */
export function mayOpen(
  { registro, situacao, config, retroativo, isCorrected, portaoEm }: GateCase,
  now: number,
): boolean {
  const portao = config?.ativo ? config.portao : null
  if (portao == null || portaoEm !== null || situacao !== 'permitida') return false
  if (retroativo || isCorrected || registro.fim !== null || (registro.placa?.confianca ?? 0) < portao.conf) return false
  const { desvio_ms, sincronizado } = registro.relogio
  const desvioMs = desvio_ms ?? (sincronizado ? 0 : null)
  // Without a trusted clock the age of the reading is unknown.
  return desvioMs !== null && Math.abs(now - (registro.ocorrido_em - desvioMs)) <= OPEN_WITHIN_MS
}
