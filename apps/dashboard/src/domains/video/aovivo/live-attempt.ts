import type { MotivoFimAoVivo } from '@vigia/contracts/ao-vivo'
import type { Fluxo } from '@vigia/contracts/transmissao'

/** One attempt to show a camera: live video, or single frames where video is impossible. */
export interface LiveAttempt {
  readonly fluxo: Fluxo
  readonly quadros: boolean
  /** Pause before the connection, ms. */
  readonly pauseMs: number
  /** Consecutive ends without a picture in between. */
  readonly failures: number
}

/** Why an attempt ended. `nao_decodifica`: the browser cannot play it; `caiu`: without a reason. */
export type AttemptEnd = Exclude<MotivoFimAoVivo, 'sessao'> | 'nao_decodifica' | 'caiu'

const PAUSES_MS = [500, 1_000, 2_000, 5_000, 10_000] as const
/** Pause while the recorder, the uplink, the server or the login has no place. */
const BUSY_MS = 10_000
const BUSY: readonly AttemptEnd[] = ['sem_banda', 'sem_conexao_livre', 'sem_memoria', 'vistas_demais']

export const firstAttempt = (fluxo: Fluxo): LiveAttempt => ({ fluxo, quadros: false, pauseMs: 0, failures: 0 })

/** The next attempt after an end. A stream that is too heavy, or undecodable, is replaced by a lighter one. */
export function nextAttempt(
  { fluxo, failures }: LiveAttempt,
  end: AttemptEnd,
  { hasSub, played }: { readonly hasSub: boolean; readonly played: boolean },
): LiveAttempt {
  const count = played ? 0 : failures + 1
  const pauseMs = PAUSES_MS[Math.min(count, PAUSES_MS.length - 1)] ?? BUSY_MS
  const lighter = fluxo === 'principal' && hasSub
  if (end === 'nao_suportado') return { fluxo, quadros: true, pauseMs: 0, failures: 0 }
  if (end === 'nao_decodifica' && !lighter) return { fluxo, quadros: true, pauseMs: 0, failures: 0 }
  if (end === 'nao_decodifica' || (end === 'lento' && lighter)) return { ...firstAttempt('secundario'), failures: 0 }
  if (BUSY.includes(end)) return { fluxo, quadros: false, pauseMs: BUSY_MS, failures: count }
  return { fluxo, quadros: false, pauseMs, failures: count }
}
