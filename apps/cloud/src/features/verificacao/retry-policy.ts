import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'
import type { FalhaVerificacao } from '../../adapters/verifier/interface.ts'

const SECOND = 1000
const HOUR = 3_600_000
const SLOW_MS = 6 * HOUR
/** Attempts after which a person is told on the event itself that there is no verdict yet. */
const TELL_AFTER = 3

/** `sem_imagem`: nothing to look at came, or what came is gone from the disk. */
export type Falha = FalhaVerificacao | 'sem_imagem'

const sentences: Record<Falha, string> = {
  sem_imagem:
    'A imagem deste evento não está disponível (o edge a descartou por falta de espaço). Confira no gravador.',
  sem_suporte: 'Nenhum verificador desta instalação sabe conferir este tipo de evento. Confira a imagem.',
  imagem_ilegivel: 'O verificador não conseguiu ler a imagem deste evento. Confira a imagem.',
  indisponivel: 'O verificador está indisponível. A verificação será tentada outra vez.',
}

/** A quarter more or less, by chance. */
const JITTER = [0.75, 1.25] as const
const GROWING: BackoffLimits = { minMs: SECOND, maxMs: 300 * SECOND, jitter: JITTER }
const SLOW: BackoffLimits = { minMs: SLOW_MS, maxMs: SLOW_MS, jitter: JITTER }

/** Of any try, with its jitter. */
export const LONGEST_WAIT_MS = 1.25 * SLOW_MS

/** What a try that failed leaves. */
interface AfterFailure {
  readonly esperaMs: number
  /** Portuguese. */
  readonly erro: string
  /** Whether the event itself says so. */
  readonly aviso: boolean
  /** Whether it is shown as stopped: time alone will hardly change it. */
  readonly parado: boolean
}

/**
 * What happens to an event that got no verdict. It is never given up and never decided without looking: it stays
 * `pendente`, with the reason in `detalhes.falha_verificacao` for the person who sees it. What time can heal is tried
 * again after 2 s, 4 s, … up to 5 min; what only an update of the software can heal stops, and is tried again every 6 h.
 * @param tentativas attempts so far, this one included
 * @param jitter 0–1, spreads the retries
 */
export function afterFailure(falha: Falha, tentativas: number, jitter: number): AfterFailure {
  const hopeless = falha === 'sem_imagem' || falha === 'sem_suporte'
  const parado = hopeless || (falha === 'imagem_ilegivel' && tentativas >= TELL_AFTER)
  return {
    esperaMs: backoffMs(tentativas, parado ? SLOW : GROWING, () => jitter),
    erro: sentences[falha],
    aviso: hopeless || tentativas >= TELL_AFTER,
    parado,
  }
}
