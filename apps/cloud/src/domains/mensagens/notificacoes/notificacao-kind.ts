import { setTimeout as delay } from 'node:timers/promises'
import { unwritableDisk } from '@vigia/runtime/disk-failure'
import type { Clock } from '../../../adapters/clock.ts'
import type { Entrega, Mensagem } from '../../../adapters/senders/interface.ts'
import { refused } from '../../../adapters/senders/interface.ts'
import type { Database } from '../../../db/open.ts'
import type { CanalRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import { type Claim, deferWork, failWork, finishWork } from '../../../db/work-queue/queue.ts'
import type { Logger } from '../../../http/request-log.ts'
import { noTelemetry, type Telemetry } from '../../../telemetry/telemetry.ts'
import { backOff, GIVE_UP_MS, LONGEST_WAIT_MS } from './back-off.ts'
import { type SendDeps, senderOf } from './canal-sender.ts'
import { backlogWait, listCarried, summaryOf } from './carry.ts'
import { markCarried } from './carry-store.ts'
import { findDelivery, giveUpDelivery, markDelivered, noteFailure } from './delivery-store.ts'
import { recordBehaviour, SLOW } from './destinations-store.ts'
import { findCanal } from './store.ts'
import { destinationsOf } from './view-canal.ts'

const MARK_RETRY_MS = 2_000

export interface DeliverDeps extends SendDeps {
  readonly clock: Clock
  readonly log: Logger
  /** Monotonic ms. */
  readonly monotonic: () => number
  readonly telemetry?: Telemetry
}

/**
 * Runs one attempt of one delivery. The result is written after the send. After a crash in between, the message is sent
 * again under the same id.
 */
export async function deliverOne(deps: DeliverDeps, claim: Claim, signal: AbortSignal): Promise<void> {
  const { db, clock, log, monotonic } = deps
  const { metrics } = deps.telemetry ?? noTelemetry
  const id = Number(claim.chave)
  const row = await findDelivery(db, id)
  const canal = row && (await findCanal(db, row.canal_id))
  /** Ends the claim together with `write`; writes nothing if another process has the delivery. */
  const end = (write: (tx: Database) => Promise<void>) =>
    whenWritable(
      () =>
        transact(db, async (tx) => {
          if (await finishWork(tx, claim)) await write(tx)
        }),
      signal,
    )
  if (!row || !canal) return end(async () => {})
  const about = { entrega_id: id, canal_id: canal.id, mensagem_id: row.mensagem_id }

  const withdrawn = withdrawal(canal, row.destino)
  if (withdrawn !== null) {
    await end((tx) => giveUpDelivery(tx, id, withdrawn, clock.now()))
    log.info({ ...about, motivo: withdrawn }, 'notification withdrawn')
    return
  }
  const wait = await backlogWait(db, row, clock.now())
  if (wait !== null) {
    await whenWritable(() => transact(db, async (tx) => void (await deferWork(tx, claim, wait))), signal)
    return
  }
  const carried = await listCarried(db, row, clock.now())
  const mensagem =
    carried.length === 0
      ? (JSON.parse(row.mensagem_json) as Mensagem)
      : await summaryOf(db, [row, ...carried], clock.now())
  const startedAt = monotonic()
  const entrega = await attempt(deps, canal, { destino: row.destino, mensagem }, signal)
  // An aborted send does not count as an attempt.
  if (!entrega.ok && signal.aborted) return
  const now = clock.now()
  const to = { empresaId: canal.empresa_id, destino: row.destino }
  const behaviour = { ok: entrega.ok, tookMs: monotonic() - startedAt, now }
  if (entrega.ok) {
    await end(async (tx) => {
      await markDelivered(tx, id, now)
      await markCarried(
        tx,
        carried.map((each) => each.id),
        id,
        now,
      )
      await recordBehaviour(tx, to, behaviour)
    })
    metrics.delivery(canal.tipo, 'entregue')
    metrics.delivered(canal.tipo, now - claim.criado_em)
    log.info({ ...about, tentativas: claim.tentativas + 1, levou: carried.length }, 'notification delivered')
    return
  }
  const { erro } = entrega
  const waitMs = Math.min(LONGEST_WAIT_MS, entrega.waitMs ?? 0)
  const em = now + Math.max(waitMs, backOff(claim.tentativas + 1, Math.random()))
  const givenUp = em > claim.criado_em + GIVE_UP_MS
  const next = givenUp ? ({ estado: 'parado', em: null } as const) : ({ estado: 'recuo', em } as const)
  const writeFailure = () =>
    transact(db, async (tx) => {
      if (!(await failWork(tx, claim, { erro, now, next, tipo: SLOW }))) return
      await (givenUp ? giveUpDelivery : noteFailure)(tx, id, erro, now)
      await recordBehaviour(tx, to, { ...behaviour, de: entrega.de, waitMs })
    })
  await whenWritable(writeFailure, signal)
  metrics.delivery(canal.tipo, givenUp ? 'desistida' : 'falhou')
  log.warn({ ...about, erro, desistida: givenUp }, 'notification not delivered')
}

/** A full disk must not cause a second send: the result is written when space is free again. */
async function whenWritable(write: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (unwritableDisk(error) === null || signal.aborted) throw error
      await delay(MARK_RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }
}

/** Returns the reason why the canal no longer sends there; null: it still does. */
function withdrawal(canal: CanalRow, destino: string): string | null {
  if (canal.ativo === 0) return 'O canal foi desativado antes da entrega.'
  return destinationsOf(canal).includes(destino) ? null : 'O destino foi retirado do canal antes da entrega.'
}

/** Never rejects, so that a faulty message is retried only after a pause. */
async function attempt(
  deps: DeliverDeps,
  canal: CanalRow,
  { destino, mensagem }: { readonly destino: string; readonly mensagem: Mensagem },
  signal: AbortSignal,
): Promise<Entrega> {
  try {
    const send = await senderOf(deps, canal)
    return await send(destino, mensagem, signal)
  } catch (err) {
    deps.log.error({ err, canal_id: canal.id }, 'notification could not be sent')
    return refused('Falha interna ao enviar. O registro do servidor diz mais.')
  }
}
