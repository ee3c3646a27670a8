import { VigiaError } from '@vigia/contracts/errors'
import type { Clock } from '../../../adapters/clock.ts'
import type { Database } from '../../../db/open.ts'
import type { Logger } from '../../../http/request-log.ts'
import type { Replica } from '../../../replicas/replica.ts'
import { type AskEdge, CREDENTIAL_MS, issueCredential } from '../../locais/public.ts'
import { extendStream } from './store.ts'
import {
  AGAIN,
  enter,
  OWNER_MS,
  pause,
  priorityOf,
  type Stream,
  type StreamEnd,
  streamTarget,
  type TurnEnd,
  uploadPath,
} from './stream-state.ts'

interface OwnerDeps {
  readonly db: Database
  readonly clock: Clock
  readonly askEdge: AskEdge
  readonly replica: Pick<Replica, 'name'>
  /** Name of this process as an owner. */
  readonly owner: string
  readonly log: Logger
}

export const TIMES = {
  /** The edge ends an upload this long after the last order. */
  leaseMs: 30_000,
  repeatMs: 10_000,
  /** Time for which a stream without viewers goes on. */
  lingerMs: 30_000,
  retryMs: 2_000,
  /** A stream without a record for this time has ended. */
  silentMs: 15_000,
}

export type StreamTimes = typeof TIMES

const ASK_MS = 8_000
/** The order repeats the token of its epoch until this age. */
const NEW_TOKEN_MS = CREDENTIAL_MS / 2

/** Failures after which the next order would fail too. */
const FINAL: ReadonlySet<StreamEnd> = new Set<StreamEnd>([
  'comando_desconhecido',
  'sem_conexao_livre',
  'sem_codificador',
  'sem_banda',
  'fluxo_inexistente',
])

/** Returns a function that owns a stream in one epoch: it has the edge send the stream while there are viewers. */
export function createOwner(deps: OwnerDeps, times: StreamTimes, stopping: AbortSignal) {
  const { db, clock, askEdge, owner, log } = deps
  const { leaseMs, repeatMs, lingerMs, retryMs, silentMs } = times
  const isAlone = deps.replica.name === undefined

  /** null: the edge has accepted the order. */
  async function order(stream: Stream, epoca: number, token: string): Promise<StreamEnd | null> {
    const { cameraId, fluxo, edgeId } = stream
    const comando = {
      acao: 'transmitir' as const,
      camera_id: cameraId,
      fluxo,
      epoca,
      token,
      caminho: uploadPath(stream, epoca),
      parte_ms: stream.partMs,
      validade_ms: leaseMs,
      prioridade: priorityOf(stream),
    }
    try {
      const answer = await askEdge(edgeId, comando, { prazoMs: ASK_MS, signal: stopping })
      stream.causa = answer.ok ? null : (answer.causa ?? null)
      return answer.ok ? null : answer.falha
    } catch (error) {
      if (error instanceof VigiaError) return 'prazo_esgotado'
      throw error
    }
  }

  /** The edge ends an upload by itself; the command saves the rest of its lease on the uplink. */
  async function tellEnd({ edgeId, cameraId, fluxo }: Stream): Promise<void> {
    const comando = { acao: 'parar_transmissao', camera_id: cameraId, fluxo } as const
    await askEdge(edgeId, comando, { prazoMs: ASK_MS, signal: stopping }).catch((err: unknown) =>
      log.debug({ err, camera: cameraId }, 'end of stream not sent to the edge'),
    )
  }

  return async function own(stream: Stream, epoca: number): Promise<TurnEnd> {
    enter(stream, epoca)
    stream.epoca = epoca
    stream.owning = new AbortController()
    stream.recordAt = performance.now()
    const lease = { cameraId: stream.cameraId, fluxo: stream.fluxo, replica: owner, epoca }
    const holds = () => extendStream(db, lease, clock.now() + OWNER_MS)
    const lost = isAlone ? 'outra_replica' : AGAIN
    const credential = { edgeId: stream.edgeId, finalidade: 'transmissao', alvo: streamTarget(stream, epoca) } as const
    let token: { readonly text: string; readonly at: number } | null = null
    try {
      while (!stopping.aborted) {
        if (stream.seats.size === 0) {
          await pause(stream, lingerMs, stopping, () => stream.seats.size > 0)
          if (stream.seats.size === 0) return null
        }
        if (stream.evicted) return 'sem_memoria'
        if (!(await holds())) return lost
        if (token === null || performance.now() - token.at > NEW_TOKEN_MS)
          token = { text: await issueCredential(db, credential, clock.now()), at: performance.now() }
        const prioridade = priorityOf(stream)
        const failure = await order(stream, epoca, token.text)
        if (failure !== null && FINAL.has(failure)) return failure
        if (performance.now() - stream.recordAt > silentMs) return failure ?? 'sem_dados'
        // The order and the pause together may last longer than the lease.
        if (!(await holds())) return lost
        const isUrgent = () => stream.seats.size === 0 || (prioridade === 'mosaico' && priorityOf(stream) === 'aberta')
        await pause(stream, failure === null ? repeatMs : retryMs, stopping, isUrgent)
      }
      return null
    } finally {
      stream.epoca = null
      stream.upload?.abort()
      // The edge must not end the upload of a newer epoch.
      if (!stopping.aborted && (await holds())) await tellEnd(stream)
      await extendStream(db, lease, 0)
    }
  }
}
