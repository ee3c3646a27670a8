import { caixaSchema } from '@vigia/contracts/eventos'
import { nomesIas } from '@vigia/contracts/ias'
import { type CurrentVerdict, type LaterOpinion, nextVerdict } from '@vigia/ias/next-verdict'
import { probabilityWithoutBias } from '@vigia/ias/review-bias'
import type { Tracing } from '@vigia/runtime/spans'
import { z } from 'zod'
import type { Bus } from '../../../adapters/bus.ts'
import type { FalhaVerificacao, ResultadoVerificacao } from '../../../adapters/verifier/interface.ts'
import type { EvidenciaRow } from '../../../db/evidencias.ts'
import { transact } from '../../../db/transaction.ts'
import { type Claim, deferWork, failWork, finishWork } from '../../../db/work-queue/queue.ts'
import { createWorker, type Worker } from '../../../db/work-queue/worker.ts'
import type { Logger } from '../../../http/request-log.ts'
import { type DoubtfulEvento, findDoubtful, isFirstVerdictReady } from './evidencia-verdict-store.ts'
import { afterFailure, LONGEST_WAIT_MS } from './retry-policy.ts'
import { saveLaterVerdict } from './save-verdict.ts'
import type { VerifyDeps } from './verify-evento.ts'

/** Delay while a first verdict could be given instead. */
const POSTPONE_MS = 500
/** Longest total delay. */
const MOST_POSTPONED_MS = 10 * 60_000
/** Attempts on later pictures; after them the first verdict stays. */
const MOST_ATTEMPTS = 5

const stored = {
  ia: z.enum(nomesIas),
  caixas: z.array(caixaSchema),
  calibracao: z.record(z.string(), z.union([z.number(), z.boolean()])),
  instrucoes: z.array(z.string()),
  detalhes: z.record(z.string(), z.unknown()),
}

interface EvidenciaDeps extends VerifyDeps {
  readonly bus: Bus
  readonly log: Logger
  readonly tracing?: Tracing
}

/**
 * Verifies the later pictures of doubtful events, each as a candidate of its own, and changes the verdict by
 * `nextVerdict`. First verdicts have precedence.
 */
export function createEvidenciaVerification(deps: EvidenciaDeps): Worker {
  const { db, bus, log, clock } = deps

  async function handle(claim: Claim, signal: AbortSignal): Promise<void> {
    const now = clock.now()
    if (now - claim.criado_em < MOST_POSTPONED_MS && (await isFirstVerdictReady(db))) {
      await transact(db, (tx) => deferWork(tx, claim, now + POSTPONE_MS))
      return
    }
    const evento = await findDoubtful(db, Number(claim.chave))
    if (!evento) {
      await transact(db, (tx) => finishWork(tx, claim))
      return
    }
    const opinions = await judge(deps, evento)
    if (signal.aborted) return
    if (opinions === 'indisponivel' && claim.tentativas + 1 < MOST_ATTEMPTS) {
      const { esperaMs, erro } = afterFailure('indisponivel', claim.tentativas + 1, Math.random())
      const next = { estado: 'recuo', em: clock.now() + esperaMs } as const
      await transact(db, (tx) => failWork(tx, claim, { erro, now: clock.now(), next }))
      return
    }
    const next = opinions === 'indisponivel' ? null : nextVerdict(currentOf(evento), opinions)
    const isChanged = await transact(db, (tx) => saveLaterVerdict(tx, claim, evento, next, clock.now()))
    if (!isChanged || next === null) return
    bus.publish({ tipo: 'alertas' })
    log.info({ evento_id: evento.id, decisao: next.decisao, certeza: next.certeza }, 'verdict changed by evidence')
  }

  return createWorker({
    ...deps,
    // A picture that hangs keeps one slot, and the other root Empresas have the other.
    atOnce: 2,
    perRoot: 1,
    tipo: 'evidencia',
    alone: true,
    longestWaitMs: LONGEST_WAIT_MS,
    handle,
  })
}

const currentOf = (evento: DoubtfulEvento): CurrentVerdict => ({
  decisao: 'confirmado',
  certeza: evento.veredito_certeza,
  primeiraConfianca: evento.confianca,
  probabilidade: probabilityWithoutBias({
    decisao: 'confirmado',
    confianca: evento.veredito_confianca ?? 1,
    ajuste: evento.veredito_ajuste ?? 0,
  }),
})

type Judged = Extract<ResultadoVerificacao, { readonly ok: true }>

/** Opinions on the pictures that could be judged; `indisponivel`: the verifier was unavailable. */
async function judge(deps: VerifyDeps, evento: DoubtfulEvento): Promise<LaterOpinion<Judged>[] | 'indisponivel'> {
  const opinions: LaterOpinion<Judged>[] = []
  for (const row of evento.evidencias) {
    const opiniao = await judgePicture(deps, evento, row)
    if (opiniao === 'indisponivel') return opiniao
    if (typeof opiniao === 'string') continue
    opinions.push({ fonte: row.fonte, dtMs: row.dt_ms, redetectada: row.redetectada === 1, opiniao })
  }
  return opinions
}

async function judgePicture(
  { media, verifier }: VerifyDeps,
  evento: DoubtfulEvento,
  row: EvidenciaRow,
): Promise<Judged | FalhaVerificacao> {
  const picture = await media.read(row.caminho)
  if (picture === null) return 'imagem_ilegivel'
  // Without `empresaId` no external verifier is asked. Each picture would cost a call, and one wrong `presente` among
  // them would confirm the event.
  const resultado = await verifier.verify({
    origemId: evento.empresa_id,
    crop: picture,
    quadro: picture,
    fonte: row.fonte,
    conjunta: true,
    ia: stored.ia.parse(evento.tipo),
    caixas: stored.caixas.parse(JSON.parse(row.caixas_json)),
    calibracao: stored.calibracao.parse(JSON.parse(evento.calibracao_json)),
    instrucoes: stored.instrucoes.parse(JSON.parse(evento.instrucoes_json)),
    detalhes: stored.detalhes.parse(JSON.parse(evento.detalhes_json)),
  })
  return resultado.ok ? resultado : resultado.falha
}
