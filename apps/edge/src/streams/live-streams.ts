import { randomUUID } from 'node:crypto'
import type { Causa } from '@vigia/contracts/causa'
import type { FalhaPedido } from '@vigia/contracts/pedidos'
import type { Fluxo } from '@vigia/contracts/transmissao'
import type { Logger } from 'pino'
import type { Handlers } from '../pedidos/handle-command.ts'
import type { Supervisor } from '../supervisor/supervisor.ts'
import { createStreamUpload, type StreamUpload } from './stream-upload.ts'
import { type BudgetSeat, createUplinkBudget } from './uplink-budget.ts'

export interface LiveStreams {
  readonly handlers: Pick<Handlers, 'transmitir' | 'parar_transmissao'>
  stop(): void
}

export interface LiveStreamsDeps {
  readonly cloudUrl: string
  isKnown(cameraId: number): boolean
  readonly stream: Supervisor['stream']
  /** Rate of the uplink in Mbit/s; null: measured. */
  readonly uplinkMbits: number | null
  /** Whether no event and no evidence waits for the line. */
  isLineFree(): boolean
  /** The recorder had no free connection for a stream. */
  onNoConnection(cameraId: number): void
  readonly log: Logger
}

interface Session {
  readonly epoca: number
  readonly upload: StreamUpload
  readonly seat: BudgetSeat
  lease: NodeJS.Timeout
  /** Settles at the header, or with the failure of the stream. */
  readonly begun: Promise<Failure | null>
  stopSource(): void
}

interface Failure {
  readonly falha: FalhaPedido
  readonly causa?: Causa
}

/** The answer to an order reports a failure that occurs within this time. */
const ANSWER_MS = 5_000

const keyOf = (cameraId: number, fluxo: Fluxo) => `${cameraId}/${fluxo}`

/** Sends streams to the cloud, one upload for each ordered stream, until the order's validity ends. */
export function createLiveStreams(deps: LiveStreamsDeps): LiveStreams {
  const { cloudUrl, isKnown, stream, onNoConnection, log } = deps
  const budget = createUplinkBudget(deps)
  const sessions = new Map<string, Session>()

  function end(key: string): void {
    const session = sessions.get(key)
    if (!session) return
    sessions.delete(key)
    clearTimeout(session.lease)
    session.stopSource()
    session.upload.end()
    const { dropped } = session.upload
    const { limit } = budget
    const kbps = limit === null ? null : Math.round(limit * 8)
    log.info({ fluxo: key, epoca: session.epoca, partes_deixadas: dropped, limite_kbps: kbps }, 'live stream ended')
  }

  type Order = Parameters<Handlers['transmitir']>[0]

  function begin(key: string, order: Order): Session {
    const { camera_id: cameraId, fluxo, epoca, caminho, token, parte_ms: partMs, validade_ms } = order
    const begun = Promise.withResolvers<Failure | null>()
    const endThis = () => {
      if (sessions.get(key) === session) end(key)
    }
    // The next order is refused while there is no capacity.
    const seat = budget.join(order.prioridade ?? 'aberta', endThis)
    const upload = createStreamUpload({ cloudUrl, path: caminho, token, seat, onRefused: endThis })
    const session: Session = {
      epoca,
      upload,
      seat,
      lease: setTimeout(endThis, validade_ms),
      begun: begun.promise,
      stopSource: () => {},
    }
    sessions.set(key, session)
    session.stopSource = stream(
      { id: randomUUID(), cameraId, fluxo, partMs },
      {
        onRecord(registro) {
          if (registro.tipo === 'inicio') begun.resolve(null)
          upload.add(registro)
        },
        onEnded(falha, causa) {
          if (falha === 'sem_conexao_livre') onNoConnection(cameraId)
          begun.resolve({ falha: falha === 'interrompida' ? 'sem_quadro' : falha, ...(causa && { causa }) })
          // The next order starts it again, after a process that ended has been replaced.
          endThis()
        },
      },
    )
    log.info({ fluxo: key, epoca }, 'live stream began')
    return session
  }

  return {
    handlers: {
      async transmitir(order, { signal }) {
        const { camera_id, fluxo, epoca, token, validade_ms, prioridade = 'aberta' } = order
        if (signal.aborted) return { ok: false, falha: 'cancelado' }
        if (!isKnown(camera_id)) return { ok: false, falha: 'camera_desconhecida' }
        const key = keyOf(camera_id, fluxo)
        const before = sessions.get(key)
        // A late order of an earlier owner.
        if (before && before.epoca > epoca) return { ok: false, falha: 'cancelado' }
        if (before && before.epoca === epoca) {
          before.lease.refresh()
          before.upload.renew(token)
          before.seat.prioridade = prioridade
          return { ok: true, resultado: {} }
        }
        end(key)
        if (!budget.hasCapacity(prioridade)) return { ok: false, falha: 'sem_banda' }
        const session = begin(key, order)
        const late = Promise.withResolvers<null>()
        const timer = setTimeout(() => late.resolve(null), Math.min(ANSWER_MS, validade_ms))
        const failure = await Promise.race([session.begun, late.promise])
        clearTimeout(timer)
        return failure === null ? { ok: true, resultado: {} } : { ok: false, ...failure }
      },
      async parar_transmissao({ camera_id, fluxo }) {
        end(keyOf(camera_id, fluxo))
        return { ok: true, resultado: {} }
      },
    },
    stop() {
      for (const key of [...sessions.keys()]) end(key)
    },
  }
}
