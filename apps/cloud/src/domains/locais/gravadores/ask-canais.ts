import type { CanalOnvif, CanalSondado } from '@vigia/contracts/canais-sondados'
import { invalid } from '@vigia/contracts/errors'
import { refusedByOnvif } from '@vigia/contracts/pedido-failures'
import type { Comando, FalhaPedido } from '@vigia/contracts/pedidos'
import { hasChannels } from '@vigia/rtsp/maker-urls'
import type { RequestInfo } from '../../../http/route.ts'
import type { AskEdge, EdgeFailure } from '../edges/ask/ask-edge.ts'
import { probeError } from '../edges/ask/probing.ts'

export type ChannelCommand = Extract<Comando, { acao: 'sondar_canais' | 'listar_canais_onvif' }>

/** Signal and progress callback of the waiting caller. */
export type Waiting = Pick<RequestInfo, 'signal' | 'progress'>

/** Minimum canais per part and maximum parts per gravador: each part costs a round trip to the edge and a login. */
const SMALLEST_PART = 4
const MOST_PARTS = 16

/** Below this remaining time no further part is sent. */
const SHORTEST_MS = 4_000

/** Failures without an answer of the gravador. They do not concern the other canais. */
const SILENT: ReadonlySet<FalhaPedido> = new Set(['inalcancavel', 'ocupado', 'prazo_esgotado'])

/**
 * Probes the canais of `comando` through an edge, in order. With a progress callback the edge probes a few canais per
 * command; the result is the same.
 * @param prazoMs limit for all canais together
 * @throws VigiaError `validacao` (host or password), `indisponivel`.
 */
export async function askChannels(
  askEdge: AskEdge,
  edgeId: number,
  comando: ChannelCommand,
  prazoMs: number,
  { signal, progress }: Waiting,
): Promise<readonly (CanalSondado | CanalOnvif)[]> {
  const total = comando.canais.length
  const size = progress && isDivisible(comando) ? Math.max(SMALLEST_PART, Math.ceil(total / MOST_PARTS)) : total
  const until = performance.now() + prazoMs
  const rest = [...comando.canais]
  const seen: (CanalSondado | CanalOnvif)[] = []
  let answered = false
  let silence: EdgeFailure | null = null
  while (rest.length > 0) {
    const leftMs = Math.round(until - performance.now())
    // The results so far are returned, as the edge does at its deadline.
    if (seen.length > 0 && leftMs < SHORTEST_MS) break
    // After a missing answer one part holds all remaining canais, because each part of an offline gravador would time
    // out.
    const canais: number[] = rest.splice(0, silence === null ? size : total)
    const answer = await askEdge(edgeId, { ...comando, canais }, { prazoMs: leftMs, signal })
    silence = answer.ok ? null : answer
    if (answer.ok) {
      answered = true
      seen.push(...answer.resultado.canais)
    } else {
      // A gravador without free connections may refuse a password that it accepted before.
      const saysNothing = SILENT.has(answer.falha) || (answered && answer.falha === 'senha_recusada')
      if (!saysNothing) throw refusalOf(comando, answer)
      seen.push(...canais.map(withoutAnswer))
    }
    const first = seen.length - canais.length + 1
    const part = canais.length === 1 ? `Canal ${first}` : `Canais ${first} a ${seen.length}`
    progress?.(seen.length, total, `${part} de ${total}`)
  }
  if (!answered && silence !== null) throw probeError(silence)
  return [...seen, ...rest.map(withoutAnswer)]
}

/** A device that accepts only the password itself refuses the usual login like a wrong password. */
const refusalOf = (comando: ChannelCommand, failure: EdgeFailure) =>
  failure.falha === 'senha_recusada' && comando.acao === 'listar_canais_onvif' && !comando.senha_em_texto
    ? invalid(['body', 'senha'], refusedByOnvif(failure.onvif))
    : probeError(failure)

/** An ONVIF device lists all its canais at once; a template without canais has only one. */
const isDivisible = (comando: ChannelCommand): boolean =>
  comando.acao === 'sondar_canais' && hasChannels(comando.modelo)

const withoutAnswer = (canal: number): CanalSondado => ({ canal, estado: 'sem_resposta', codec: null, resolucao: null })
