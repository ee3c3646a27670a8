import type { Clock } from '../../../adapters/clock.ts'
import type { Entrega, Mensagem } from '../../../adapters/senders/interface.ts'
import { refused } from '../../../adapters/senders/interface.ts'
import { findCamera } from '../../../db/cameras.ts'
import { destinationsOf } from '../../../db/canal-fields.ts'
import type { Database } from '../../../db/open.ts'
import { reports } from '../../../db/recolhimentos.ts'
import type { CanalRow } from '../../../db/rows.ts'
import { pruneLanes } from '../../../db/work-queue/lanes.ts'
import type { Claim } from '../../../db/work-queue/queue.ts'
import type { Logger } from '../../../http/request-log.ts'
import type { Attempt, DeliveryKind, Plan } from '../delivery/delivery-kind.ts'
import { pruneAvisos } from './avisos-store.ts'
import { backOff, GIVE_UP_MS, LONGEST_WAIT_MS } from './back-off.ts'
import { type SendDeps, senderOf } from './canal-sender.ts'
import { backlogWait, listCarried, summaryOf } from './carry.ts'
import { type EntregaRow, markCarried } from './carry-store.ts'
import {
  dropOrphans,
  findDelivery,
  giveUpDelivery,
  isFirstMessage,
  markDelivered,
  noteFailure,
  pruneDeliveries,
} from './delivery-store.ts'
import { FAST, forgetDestinations, recordBehaviour, SLOW } from './destinations-store.ts'
import { enqueueAviso } from './enqueue-aviso.ts'
import { findCanal } from './store.ts'

/** Concurrent deliveries to healthy destinations, and to failing or slow ones. */
const AT_ONCE = 8
const SLOW_AT_ONCE = 3
/** A destination that has not been slow or failing for this long is forgotten. */
const FORGOTTEN_MS = 30 * 86_400_000
const PRUNED_AT_ONCE = 500

interface NotificacaoDeps extends SendDeps {
  readonly clock: Clock
  readonly log: Logger
}

/** Notifications of the canais: one delivery for each message and destination, one at a time per server. */
export function notificacaoKind(deps: NotificacaoDeps): DeliveryKind {
  const { db } = deps
  return {
    slots: [
      { tipo: FAST, atOnce: AT_ONCE, perRoot: AT_ONCE - 1, perEmpresa: AT_ONCE - 2 },
      // One slot stays free for other roots: a destination that never answers takes a slot for its whole time limit.
      { tipo: SLOW, atOnce: SLOW_AT_ONCE, perRoot: SLOW_AT_ONCE - 1 },
    ],
    wakenBy: ['alertas', 'queda'],
    retry: {
      waitMs: (tries) => backOff(tries, Math.random()),
      longestWaitMs: LONGEST_WAIT_MS,
      giveUpMs: GIVE_UP_MS,
      tipo: SLOW,
      keepsAbandoned: true,
    },
    lines: { delivered: 'notification delivered', failed: 'notification not delivered' },
    tidy: {
      failed: 'old notifications not removed',
      warn: enqueueAviso,
      aged: [
        {
          tipo: 'entregas',
          prune: async (due) => (await pruneDeliveries(db, due, PRUNED_AT_ONCE)) === PRUNED_AT_ONCE,
        },
        { tipo: 'avisos', prune: (due) => pruneAvisos(db, due, PRUNED_AT_ONCE) },
      ],
      async rest(now) {
        await dropOrphans(db)
        await forgetDestinations(db, now - FORGOTTEN_MS)
        await pruneLanes(db)
      },
    },
    plan: (claim) => planDelivery(deps, claim),
  }
}

async function planDelivery(deps: NotificacaoDeps, claim: Claim): Promise<Plan> {
  const { db, clock } = deps
  const id = Number(claim.chave)
  const row = await findDelivery(db, id)
  const canal = row && (await findCanal(db, row.canal_id))
  if (!row || !canal) return { step: 'end' }
  const withdrawn = withdrawal(canal, row.destino)
  if (withdrawn !== null)
    return {
      step: 'end',
      write: (tx) => giveUpDelivery(tx, id, withdrawn, clock.now()),
      line: [{ ...aboutOf(row), motivo: withdrawn }, 'notification withdrawn'],
    }
  const em = await backlogWait(db, row, clock.now())
  if (em !== null) return { step: 'wait', em }
  const carried = await listCarried(db, row, clock.now())
  const mensagem =
    carried.length === 0
      ? (JSON.parse(row.mensagem_json) as Mensagem)
      : await summaryOf(db, [row, ...carried], clock.now())
  const sent = canal.tipo === 'mqtt' && !(await isReported(db, canal, mensagem)) ? passing(mensagem) : mensagem
  const first = (await isFirstMessage(db, row)) ? ({ primeira: true } as const) : {}
  return {
    step: 'send',
    attempt: attemptOf(deps, { canal, row, mensagem: { ...sent, ...first }, carried: carried.map(idOf) }),
  }
}

const idOf = ({ id }: EntregaRow) => id

const passing = (mensagem: Mensagem): Mensagem => ({ ...mensagem, semRetencao: true })

/**
 * Whether the canal is still about the camera of a message. The retained messages about other cameras were taken back,
 * or are taken back after this delivery.
 */
async function isReported(db: Database, canal: CanalRow, mensagem: Mensagem): Promise<boolean> {
  if (mensagem.camera === null) return true
  const { id } = mensagem.camera
  return reports(canal, id) && (await findCamera(db, id))?.empresa_id === canal.empresa_id
}

interface Sending {
  readonly canal: CanalRow
  readonly row: EntregaRow
  readonly mensagem: Mensagem
  readonly carried: readonly number[]
}

function attemptOf(deps: NotificacaoDeps, { canal, row, mensagem, carried }: Sending): Attempt {
  const { id, destino } = row
  return {
    metric: canal.tipo,
    carried,
    send: (signal) => send(deps, canal, { destino, mensagem }, signal),
    async write(tx, result) {
      const { now } = result
      if (result.ok) {
        await markDelivered(tx, id, now)
        await markCarried(tx, carried, id, now)
      } else await (result.isAbandoned ? giveUpDelivery : noteFailure)(tx, id, result.erro, now)
      await recordBehaviour(tx, { empresaId: canal.empresa_id, destino }, result)
    },
    fields: (result) => ({
      ...aboutOf(row),
      ...(result.ok
        ? { tentativas: result.tries, levou: carried.length }
        : { erro: result.erro, desistida: result.isAbandoned }),
    }),
  }
}

const aboutOf = ({ id, canal_id, mensagem_id }: EntregaRow) => ({ entrega_id: id, canal_id, mensagem_id })

/** Returns the reason why the canal no longer sends there; null: it still does. */
function withdrawal(canal: CanalRow, destino: string): string | null {
  if (canal.ativo === 0) return 'O canal foi desativado antes da entrega.'
  return destinationsOf(canal).includes(destino) ? null : 'O destino foi retirado do canal antes da entrega.'
}

/** Never rejects, so that a faulty message is retried only after a pause. */
async function send(
  deps: NotificacaoDeps,
  canal: CanalRow,
  { destino, mensagem }: { readonly destino: string; readonly mensagem: Mensagem },
  signal: AbortSignal,
): Promise<Entrega> {
  try {
    const sendTo = await senderOf(deps, canal)
    return await sendTo(destino, mensagem, signal)
  } catch (err) {
    deps.log.error({ err, canal_id: canal.id }, 'notification could not be sent')
    return refused('Falha interna ao enviar. O registro do servidor diz mais.')
  }
}
