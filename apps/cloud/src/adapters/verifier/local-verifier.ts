import { fileURLToPath } from 'node:url'
import { ia } from '@vigia/contracts/ias'
import { applyReviewBias } from '@vigia/ias/review-bias'
import type { Logger } from '../../http/request-log.ts'
import type { CandidatoVerificacao, ResultadoVerificacao, Verifier } from './interface.ts'
import type { Pedido, Resposta } from './local-protocol.ts'
import { createVerifierPair, TAKEOVER_MS, VerifierHung } from './verifier-pair.ts'

export interface LocalVerifierOptions {
  readonly log: Logger
  /** Folder of the installer's own models; null: only the models of the product. */
  readonly modelos?: string | null
  /** Time limit for one picture, including the loading of a model, without the start of the process. */
  readonly timeoutMs?: number
  /** Time after which a second process takes over from one that works on a picture. */
  readonly takeoverMs?: number
  /** Time limit for the start of the process. */
  readonly startMs?: number
  /** The program of the process; tests of the supervision set another one. */
  readonly program?: string
}

const PROGRAM = fileURLToPath(new URL('./local-process.ts', import.meta.url))

/** The embedded verifier: second models in a child process. */
export function createLocalVerifier({
  log,
  modelos = null,
  timeoutMs = 30_000,
  takeoverMs = TAKEOVER_MS,
  startMs = 60_000,
  program = PROGRAM,
}: LocalVerifierOptions): Verifier {
  const args = modelos === null ? [] : [modelos]
  const models = createVerifierPair<Pedido, Resposta>({ log, program, args, timeoutMs, takeoverMs, startMs })

  const ask = async (candidato: CandidatoVerificacao): Promise<ResultadoVerificacao> => {
    const request = {
      crop: candidato.crop,
      quadro: candidato.quadro,
      caixas: candidato.caixas,
      fonte: candidato.fonte ?? 'sub',
      conjunta: candidato.conjunta ?? false,
      ia: candidato.ia,
      conf: Number(candidato.calibracao.conf ?? 0.5),
      detalhes: candidato.detalhes,
    }
    const message = await models.ask(request, candidato.origemId)
    if (message.tipo === 'falha') return { ok: false, falha: message.falha, detalhe: message.detalhe }
    const { decisao, certeza, confianca, motivo, modelo } = message
    const opinion = { decisao, certeza, confianca, motivo }
    // Only the detector of people and vehicles has a calibrated score.
    const verdict = isScored(candidato) ? applyReviewBias(opinion, candidato.ajuste ?? 0) : opinion
    return { ok: true, ...verdict, fonte: `local:${modelo}` }
  }

  return {
    // One that a process works on, and one that is late and keeps a process of its own.
    atOnce: 2,
    async verify(candidato) {
      // No second model exists for plates.
      if (ia(candidato.ia).modelo === 'placas')
        return { ok: false, falha: 'sem_suporte', detalhe: `no local verifier for ${candidato.ia}` }
      try {
        return await ask(candidato)
      } catch (error) {
        const falha = error instanceof VerifierHung ? error.falha : 'indisponivel'
        return { ok: false, falha, detalhe: error instanceof Error ? error.message : String(error) }
      }
    },
    stop: models.stop,
  }
}

const isScored = (candidato: CandidatoVerificacao): boolean => ia(candidato.ia).modelo === 'objetos'
