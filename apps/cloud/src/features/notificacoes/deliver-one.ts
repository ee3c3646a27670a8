import { setTimeout as delay } from 'node:timers/promises'
import { unwritableDisk } from '@vigia/runtime/disk-failure'
import type { Clock } from '../../adapters/clock.ts'
import type { Entrega, Mensagem } from '../../adapters/senders/interface.ts'
import { failed } from '../../adapters/senders/interface.ts'
import type { Database } from '../../db/open.ts'
import type { Logger } from '../../http/request-log.ts'
import { backOff, GIVE_UP_MS } from './back-off.ts'
import { type SendDeps, senderOf } from './canal-sender.ts'
import { findDelivery, markDelivered, markFailed } from './delivery-store.ts'
import { type CanalRow, findCanal } from './store.ts'
import { destinationsOf } from './view-canal.ts'

const MARK_RETRY_MS = 2_000

export interface DeliverDeps extends SendDeps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Logger
}

/**
 * One try of one delivery, and its mark in the queue. The mark comes after the sending: a process that ends between the two
 * sends again, under the same id.
 * @returns whether the destination took it; true also when there was nothing to send any more
 */
export async function deliverOne(deps: DeliverDeps, id: number, signal: AbortSignal): Promise<boolean> {
  const { db, clock, log } = deps
  const mark = (write: () => Promise<void>) => whenWritable(write, signal)
  const row = await findDelivery(db, id)
  const canal = row && (await findCanal(db, row.canal_id))
  if (!row || !canal) return true
  const about = { entrega_id: id, canal_id: canal.id, mensagem_id: row.mensagem_id }

  const withdrawn = withdrawal(canal, row.destino)
  if (withdrawn !== null) {
    await mark(() => markFailed(db, id, { erro: withdrawn, agora: clock.now(), proximaEm: null }))
    log.info({ ...about, motivo: withdrawn }, 'notification withdrawn')
    return true
  }
  const entrega = await attempt(deps, canal, row, signal)
  // Stopped in the middle: that was no try.
  if (!entrega.ok && signal.aborted) return true
  const agora = clock.now()
  if (entrega.ok) {
    await mark(() => markDelivered(db, id, agora))
    log.info({ ...about, tentativas: row.tentativas + 1 }, 'notification delivered')
    return true
  }
  const next = agora + backOff(row.tentativas + 1, Math.random())
  const proximaEm = next <= row.criada_em + GIVE_UP_MS ? next : null
  await mark(() => markFailed(db, id, { erro: entrega.erro, agora, proximaEm }))
  log.warn({ ...about, erro: entrega.erro, desistida: proximaEm === null }, 'notification not delivered')
  return false
}

/** A message that was sent is not sent again because the disk is full: its mark waits for room, and its place in the queue with it. */
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

/** Why the channel does not send there any more; null: it does. */
function withdrawal(canal: CanalRow, destino: string): string | null {
  if (canal.ativo === 0) return 'O canal foi desativado antes da entrega.'
  return destinationsOf(canal).includes(destino) ? null : 'O destino foi retirado do canal antes da entrega.'
}

/** Never rejects: what is wrong with one message must not be tried without a pause. */
async function attempt(
  deps: DeliverDeps,
  canal: CanalRow,
  { destino, mensagem_json }: { readonly destino: string; readonly mensagem_json: string },
  signal: AbortSignal,
): Promise<Entrega> {
  try {
    return await senderOf(deps, canal)(destino, JSON.parse(mensagem_json) as Mensagem, signal)
  } catch (err) {
    deps.log.error({ err, canal_id: canal.id }, 'notification could not be sent')
    return failed('Falha interna ao enviar. O registro do servidor diz mais.')
  }
}
