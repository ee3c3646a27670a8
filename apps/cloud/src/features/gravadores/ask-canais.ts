import type { CanalOnvif, CanalSondado, Comando, FalhaPedido } from '@vigia/contracts/pedidos'
import { hasChannels } from '@vigia/rtsp/maker-urls'
import type { RequestInfo } from '../../http/route.ts'
import type { AskEdge } from '../edges/ask/ask-edge.ts'
import { probeError } from '../edges/ask/probing.ts'

export type ChannelCommand = Extract<Comando, { acao: 'sondar_canais' | 'listar_canais_onvif' }>

/** Who waits: until when, and whether to be told how far it is. */
export type Waiting = Pick<RequestInfo, 'signal' | 'progress'>

/** Channels of one part, at least; and parts of a recorder, at most: each costs a way to the box and a login. */
const SMALLEST_PART = 4
const MOST_PARTS = 16

/** With less time left an edge has none to ask in, ms. */
const SHORTEST_MS = 4_000

/** The recorder did not say: nothing about channels that it was not asked for. */
const SILENT: ReadonlySet<FalhaPedido> = new Set(['inalcancavel', 'ocupado', 'prazo_esgotado'])

/**
 * Has an edge look at the channels of `comando`, in their order. Where somebody wants to be told how far it is, the edge is asked
 * for a few of them at a time; what is found is the same.
 * @param prazoMs for all of it
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
  let silence: FalhaPedido | null = null
  while (rest.length > 0) {
    const leftMs = Math.round(until - performance.now())
    // What was found so far counts, as it does on the edge at its own deadline.
    if (seen.length > 0 && leftMs < SHORTEST_MS) break
    // One that says nothing is asked for all the rest at once: it may be gone, and each part would be waited for in vain.
    const canais: number[] = rest.splice(0, silence === null ? size : total)
    const answer = await askEdge(edgeId, { ...comando, canais }, { prazoMs: leftMs, signal })
    silence = answer.ok ? null : answer.falha
    if (answer.ok) {
      answered = true
      seen.push(...answer.resultado.canais)
    } else {
      // A password that was right before is refused by a recorder that is out of connections.
      const saysNothing = SILENT.has(answer.falha) || (answered && answer.falha === 'senha_recusada')
      if (!saysNothing) throw probeError(answer.falha)
      seen.push(...canais.map(withoutAnswer))
    }
    const first = seen.length - canais.length + 1
    const part = canais.length === 1 ? `Canal ${first}` : `Canais ${first} a ${seen.length}`
    progress?.(seen.length, total, `${part} de ${total}`)
  }
  if (!answered && silence !== null) throw probeError(silence)
  return [...seen, ...rest.map(withoutAnswer)]
}

/** An ONVIF device is asked for all its channels at once, and a form without channels has but one. */
const isDivisible = (comando: ChannelCommand): boolean =>
  comando.acao === 'sondar_canais' && hasChannels(comando.modelo)

const withoutAnswer = (canal: number): CanalSondado => ({ canal, estado: 'sem_resposta', codec: null, resolucao: null })
