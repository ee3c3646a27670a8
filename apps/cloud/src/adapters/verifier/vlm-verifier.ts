import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ia } from '@vigia/contracts/ias'
import type { ErroVerificadorExterno } from '@vigia/contracts/verificador-externo'
import { UNPROVED } from '@vigia/ias/judging'
import { labelNames } from '@vigia/ias/label-names'
import { scoreLimits } from '@vigia/ias/verdict-calibration'
import { type BackoffLimits, backoffMs } from '@vigia/runtime/backoff'
import type { Logger } from '../../http/request-log.ts'
import type { CandidatoVerificacao, FalhaVerificacao, ResultadoVerificacao, Verifier } from './interface.ts'
import type { VlmSettings } from './settings.ts'
import { createVerifierPair, VerifierHung } from './verifier-pair.ts'
import type { VlmAccount } from './vlm-account.ts'
import { readAnswer, readUsage, type VlmAnswer } from './vlm-answer.ts'
import { createVlmClient } from './vlm-client.ts'
import { createVlmPauses } from './vlm-pauses.ts'
import type { PedidoImagens, RespostaImagens } from './vlm-protocol.ts'
import { vlmRequest } from './vlm-question.ts'

export interface VlmVerifierOptions {
  readonly settings: VlmSettings
  readonly account: VlmAccount
  readonly log: Logger
  /** Delays between the calls about one candidate. */
  readonly retry?: BackoffLimits
  /** Pauses after candidates without an answer. */
  readonly pause?: BackoffLimits
}

/** Calls about one candidate. */
const MAX_CALLS = 3
/** Longest delay that a server may ask for within one candidate. */
const MAX_RETRY_AFTER_MS = 10_000
const RETRY: BackoffLimits = { minMs: 500, maxMs: 4_000, jitter: [0.75, 1.25] }
/** Shorter than the delays of the work queue, which repeats events that no other verifier supports. */
const PAUSE: BackoffLimits = { minMs: 5_000, maxMs: 300_000, jitter: [0.75, 1.25] }
/** Failures that may pass within seconds. A time-out is none: each call costs its whole time. */
const passing: readonly ErroVerificadorExterno[] = ['limite', 'servico', 'conexao']
/** Longest time for the pictures of one candidate. */
const PICTURES_MS = 20_000
const START_MS = 60_000
const PROGRAM = fileURLToPath(new URL('./vlm-process.ts', import.meta.url))

/**
 * Asks a vision-language model of an OpenAI-compatible endpoint. It only confirms or stays unsure, because a text in
 * the picture can make it say anything. After failures it pauses, so that a dead endpoint delays no other events. A
 * candidate that the service refuses counts for its Empresa alone.
 */
export function createVlmVerifier({
  settings,
  account,
  log,
  retry = RETRY,
  pause = PAUSE,
}: VlmVerifierOptions): Verifier {
  const { modelo, atOnce } = settings
  const client = createVlmClient(settings)
  const pictures = createVerifierPair<PedidoImagens, RespostaImagens>({
    log,
    program: PROGRAM,
    timeoutMs: PICTURES_MS,
    startMs: START_MS,
  })
  const stop = new AbortController()
  const pauses = createVlmPauses(pause, () => performance.now())

  function failed(empresaId: number, erro: ErroVerificadorExterno, retryAfterMs: number | null): ResultadoVerificacao {
    const { of, pauseMs } = pauses.failed(empresaId, erro, retryAfterMs)
    const fields = { erro, proxima_em_ms: pauseMs, ...(of === 'candidato' && { empresa_id: empresaId }) }
    if (of === 'candidato') log.warn(fields, 'external verifier gave no answer about one candidate')
    else if (pauseMs !== null) log.warn(fields, 'external verifier gave no answer')
    // The service will not read these pictures later either.
    return failure(erro === 'pedido' ? 'imagem_ilegivel' : 'indisponivel', erro)
  }

  async function ask(candidato: CandidatoVerificacao, empresaId: number): Promise<ResultadoVerificacao> {
    const refusal = await account.refusal(empresaId)
    if (refusal !== null) return failure('sem_suporte', refusal)
    if (pauses.isPaused(empresaId)) return failure('indisponivel', 'paused after failures')
    const sent = await pictures.ask({ crop: candidato.crop, quadro: candidato.quadro }, empresaId)
    if (sent.tipo === 'falha') return failure('imagem_ilegivel', sent.detalhe)
    const request = vlmRequest(modelo, candidato, { cut: sent.cut, frame: sent.frame })
    for (let calls = 1; ; calls++) {
      const reservation = await account.reserve(empresaId)
      if (typeof reservation === 'string') return failure('sem_suporte', reservation)
      const reply = await client.ask(request, stop.signal)
      if (reply.ok) {
        const answer = readAnswer(reply.completion)
        await reservation.settle({
          erro: answer.kind === 'answer' ? null : answer.kind,
          ...readUsage(reply.completion),
        })
        if (answer.kind === 'answer') pauses.answered(empresaId)
        else pauses.failed(empresaId, answer.kind, null)
        return verdictOf(answer, candidato, modelo)
      }
      if (stop.signal.aborted) return failure('indisponivel', 'stopped')
      const { erro, retryAfterMs } = reply
      await reservation.settle({ erro, tokensEntrada: 0, tokensSaida: 0 })
      const waitMs = Math.max(backoffMs(calls, retry), retryAfterMs ?? 0)
      if (calls >= MAX_CALLS || !passing.includes(erro) || waitMs > MAX_RETRY_AFTER_MS)
        return failed(empresaId, erro, retryAfterMs)
      await delay(waitMs, undefined, { signal: stop.signal })
    }
  }

  return {
    atOnce,
    async verify(candidato) {
      if (candidato.empresaId === undefined) return failure('sem_suporte', 'no external verifier for this picture')
      try {
        return await ask(candidato, candidato.empresaId)
      } catch (error) {
        const falha = error instanceof VerifierHung ? error.falha : 'indisponivel'
        return failure(falha, error instanceof Error ? error.message : String(error))
      }
    },
    async stop() {
      stop.abort()
      await pictures.stop()
    },
  }
}

const failure = (falha: FalhaVerificacao, detalhe: string): ResultadoVerificacao => ({ ok: false, falha, detalhe })

/**
 * `confianca` is never a number of the model. A confirmation gets the limit of `alta`: no answers of such a model were
 * measured here.
 */
function verdictOf(answer: VlmAnswer, candidato: CandidatoVerificacao, modelo: string): ResultadoVerificacao {
  const { assunto, rotulos } = ia(candidato.ia)
  const what = assunto?.portugues ?? labelNames(rotulos)
  const base = { ok: true, decisao: 'confirmado', fonte: `vlm:${modelo}` } as const
  const unsure = { ...base, certeza: 'baixa', confianca: UNPROVED } as const
  if (answer.kind !== 'answer')
    return { ...unsure, motivo: 'O verificador externo não deu uma resposta que se possa usar.' }
  const said = answer.motivo === '' ? '.' : `: “${answer.motivo}”`
  if (answer.resposta === 'presente')
    return {
      ...base,
      certeza: 'alta',
      confianca: scoreLimits.confirm,
      motivo: `O verificador externo viu ${what}${said}`,
    }
  const seen = answer.resposta === 'ausente' ? `não viu ${what}` : `não consegue ver se é ${what}`
  return { ...unsure, motivo: `O verificador externo ${seen}${said}` }
}
