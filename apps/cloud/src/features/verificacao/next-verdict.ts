import type { Veredito } from '@vigia/contracts/eventos'
import type { Evidencia } from '@vigia/contracts/extras'
import type { NovoVeredito } from './store.ts'

/** Longest time between the detection and a picture that may show an absence, ms. */
const REFUTES_WITHIN_MS = 500

/** A verdict on further pictures of an event. */
export interface LaterVerdict {
  readonly veredito: NovoVeredito
  /** The pictures that it rests on. */
  readonly imagens: readonly Pick<Evidencia, 'dt_ms' | 'redetectada'>[]
}

/**
 * Returns the verdict that replaces `current`; null: `current` remains. Later pictures change only a doubtful verdict.
 * An empty place some seconds later proves nothing about the detection, so that each refuting picture must show it.
 */
export function nextVerdict(
  current: Pick<Veredito, 'decisao' | 'certeza'>,
  { veredito, imagens }: LaterVerdict,
): NovoVeredito | null {
  if (current.decisao !== 'confirmado' || current.certeza !== 'baixa' || veredito.certeza !== 'alta') return null
  if (veredito.decisao === 'confirmado') return veredito
  const shows = imagens.every(({ dt_ms, redetectada }) => redetectada || Math.abs(dt_ms) <= REFUTES_WITHIN_MS)
  return imagens.length > 0 && shows ? veredito : null
}
