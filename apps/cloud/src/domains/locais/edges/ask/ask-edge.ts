import { randomUUID } from 'node:crypto'
import type { Causa } from '@vigia/contracts/causa'
import type { ChamadaOnvif } from '@vigia/contracts/chamada-onvif'
import { ativarSchema } from '@vigia/contracts/edges'
import { VigiaError } from '@vigia/contracts/errors'
import {
  type Acao,
  type Comando,
  type comandoLacradoSchema,
  type FalhaPedido,
  type Resultado,
  resultadosSchema,
} from '@vigia/contracts/pedidos'
import type { CloudLink } from '@vigia/link/cloud-link'
import type { RequestOutcome } from '@vigia/link/requests'
import { seal } from '@vigia/link/sealed'
import type { z } from 'zod'
import type { Clock } from '../../../../adapters/clock.ts'
import type { Database } from '../../../../db/open.ts'
import { findEdge } from '../store.ts'

/** Why an edge could not do what it was asked. */
export interface EdgeFailure {
  readonly falha: FalhaPedido
  /** With `inalcancavel`: the port of RTSP that an ONVIF device reports. */
  readonly porta?: number
  /** The ONVIF call that failed; absent: another failure, or an older edge. */
  readonly onvif?: ChamadaOnvif
  /** Answer or failure of the device; absent: another failure, or an older edge. */
  readonly causa?: Causa
}

type Answer<A extends Acao> =
  /** `corpo`: the picture that the command asked for; else empty. */
  | { readonly ok: true; readonly resultado: Resultado<A>; readonly corpo: Buffer }
  | ({ readonly ok: false } & EdgeFailure)

/**
 * Sends a command to an edge and waits at most `prazoMs` (up to PRAZO_MAXIMO_MS) for its answer. When `signal` aborts,
 * the edge stops the command and the answer is the failure `cancelado`.
 * @throws VigiaError `indisponivel` if the edge is not activated, not connected, late or gives an unreadable answer
 */
export type AskEdge = <C extends Comando>(
  edgeId: number,
  comando: C,
  options: { readonly prazoMs: number; readonly signal: AbortSignal },
) => Promise<Answer<C['acao']>>

const NOT_CONNECTED = 'A caixa não está conectada. Confira a energia e a internet dela e tente outra vez.'

/** Error texts for commands without a usable answer. */
const unanswered: Readonly<Record<Exclude<RequestOutcome['kind'], 'resposta' | 'cancelado'>, string>> = {
  resposta_ilegivel: 'A caixa respondeu de um jeito que este servidor não entende. Atualize-a e tente outra vez.',
  sem_conexao: 'Este servidor está sem ligação com as caixas agora. Tente outra vez em um minuto.',
  edge_offline: NOT_CONNECTED,
  ocupado: 'A caixa já está atendendo muitos pedidos. Espere alguns segundos e tente outra vez.',
  prazo_esgotado: 'A caixa não respondeu a tempo. Tente outra vez; se continuar, confira a internet dela.',
}

const unavailable = (detalhe: string) => new VigiaError('indisponivel', { detalhe })

/** Longest time that a command may be ahead of this clock. */
const FARTHEST_MS = 366 * 24 * 3_600_000

/**
 * Time of the newest command that the edge knows, if it refused this one as too old; else null. The cause is a clock
 * that was ahead: this one, or that of a previous server.
 */
const refusedAsOld = (outcome: RequestOutcome): number | null =>
  outcome.kind === 'resposta' && !outcome.resposta.ok && outcome.resposta.falha === 'comando_repetido'
    ? (outcome.resposta.mais_novo ?? null)
    : null

export function createAskEdge({
  db,
  clock,
  link,
}: {
  readonly db: Database
  readonly clock: Clock
  readonly link: Pick<CloudLink, 'request'>
}): AskEdge {
  /**
   * Newest `pedido_em` by edge. It never decreases in this process: an edge refuses a command much older than its last
   * one.
   */
  const lastAskedAt = new Map<number, number>()

  return async <C extends Comando>(edgeId: number, comando: C, options: Parameters<AskEdge>[2]) => {
    const edge = await findEdge(db, edgeId)
    if (!edge || edge.ativado_em === null || edge.chave_cifra_json === null) {
      throw unavailable('A caixa ainda não foi ativada. Ative-a com o código de ativação e tente outra vez.')
    }
    if (edge.presente === 0) throw unavailable(NOT_CONNECTED)
    const key = ativarSchema.shape.chave_cifra.parse(JSON.parse(edge.chave_cifra_json))
    const begunAt = performance.now()
    const ask = async (notBefore: number) => {
      const id = randomUUID()
      const pedido_em = Math.max(lastAskedAt.get(edgeId) ?? 0, clock.now(), notBefore)
      lastAskedAt.set(edgeId, pedido_em)
      const sealed = await seal(key, { id, pedido_em, comando } satisfies z.input<typeof comandoLacradoSchema>)
      const prazoMs = Math.max(1, Math.round(options.prazoMs - (performance.now() - begunAt)))
      return link.request(edgeId, { id, comando: sealed }, { prazoMs, signal: options.signal })
    }
    let outcome = await ask(0)
    const newest = refusedAsOld(outcome)
    if (newest !== null && newest <= clock.now() + FARTHEST_MS) outcome = await ask(newest)
    if (outcome.kind === 'cancelado') return { ok: false, falha: 'cancelado' }
    if (outcome.kind !== 'resposta') throw unavailable(unanswered[outcome.kind])
    const { resposta, corpo } = outcome
    if (!resposta.ok) {
      const { falha, porta, onvif, causa } = resposta
      return {
        ok: false,
        falha,
        ...(porta !== undefined && { porta }),
        ...(onvif && { onvif }),
        ...(causa && { causa }),
      }
    }
    const resultado = resultadosSchema[comando.acao].safeParse(resposta.resultado)
    if (!resultado.success) throw unavailable(unanswered.resposta_ilegivel)
    // The compiler cannot relate the schema to this command through the union.
    return { ok: true, resultado: resultado.data as Resultado<C['acao']>, corpo }
  }
}
