import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'
import type { FalhaVerificacao } from '../../../adapters/verifier/interface.ts'

const SECOND = 1000
const HOUR = 3_600_000
const SLOW_MS = 6 * HOUR
/** Attempts after which the event shows that the verdict is missing. */
const NOTICE_AFTER = 3

/** `sem_imagem`: the event has no picture, or its file is missing. */
export type Falha = FalhaVerificacao | 'sem_imagem'

const sentences: Record<Falha, string> = {
  sem_imagem:
    'A imagem deste evento não está disponível (a caixa a descartou por falta de espaço). Confira no gravador.',
  sem_suporte: 'Nenhum verificador desta instalação sabe conferir este tipo de evento. Confira a imagem.',
  imagem_ilegivel: 'O verificador não conseguiu ler a imagem deste evento. Confira a imagem.',
  indisponivel: 'O verificador está indisponível. A verificação será tentada outra vez.',
}

export const falhas = Object.keys(sentences) as readonly Falha[]

/** Random factor of the delay. */
const JITTER = [0.75, 1.25] as const
const GROWING: BackoffLimits = { minMs: SECOND, maxMs: 300 * SECOND, jitter: JITTER }
const SLOW: BackoffLimits = { minMs: SLOW_MS, maxMs: SLOW_MS, jitter: JITTER }

/** Longest delay of any retry, including jitter. */
export const LONGEST_WAIT_MS = 1.25 * SLOW_MS

/** State of an event after a failed attempt. */
interface AfterFailure {
  readonly esperaMs: number
  /** Portuguese. */
  readonly erro: string
  /** Whether the event shows the failure. */
  readonly aviso: boolean
  /** Whether the event is listed as a pendencia, because a retry will probably not succeed. */
  readonly parado: boolean
}

/**
 * Next attempt for an event without a verdict. The event is never dropped and never decided without a picture. It stays
 * `pendente`, with the reason in `detalhes.falha_verificacao`. Temporary failures are retried after 2 s, 4 s, … up to 5
 * min. Failures that need a software update are retried every 6 h.
 * @param tentativas attempts so far, including this one
 * @param jitter 0–1, spreads the retries
 */
export function afterFailure(falha: Falha, tentativas: number, jitter: number): AfterFailure {
  const hopeless = falha === 'sem_imagem' || falha === 'sem_suporte'
  const parado = hopeless || (falha === 'imagem_ilegivel' && tentativas >= NOTICE_AFTER)
  return {
    esperaMs: backoffMs(tentativas, parado ? SLOW : GROWING, () => jitter),
    erro: sentences[falha],
    aviso: hopeless || tentativas >= NOTICE_AFTER,
    parado,
  }
}
