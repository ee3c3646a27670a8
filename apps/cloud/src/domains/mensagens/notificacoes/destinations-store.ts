import type { Database } from '../../../db/open.ts'
import { holdGroup, resumeGroup } from '../../../db/work-queue/queue.ts'
import { backOff } from './back-off.ts'

/** Kinds of delivery work: for healthy destinations, and for failing or slow ones with separate slots. */
export const FAST = 'notificacao'
export const SLOW = 'notificacao_lenta'

/** Duration above which a destination counts as slow. */
const SLOW_MS = 2_000
/** Longest wait in ms of a new message to a failing destination. It bounds the delay after the recovery. */
const LONGEST_PAUSE_MS = 5 * 60_000

/** A destination as the messages of one Empresa reach it. */
export interface SenderTo {
  readonly empresaId: number
  readonly destino: string
}

/** Key of the failures that an Empresa has at a destination with its own messages. */
const ownKey = ({ empresaId, destino }: SenderTo) => `empresa:${empresaId} ${destino}`

/** Destinations that fail or are slow, for all or for this Empresa, with the earliest time of new messages. */
export async function slowDestinations(
  db: Database,
  empresaId: number,
  destinos: readonly string[],
): Promise<Map<string, number>> {
  if (destinos.length === 0) return new Map()
  const keys = new Map(destinos.map((destino) => [destino, destino]))
  for (const destino of destinos) keys.set(ownKey({ empresaId, destino }), destino)
  const rows = await db
    .selectFrom('destinos_lentos')
    .select(['destino', 'pausado_ate'])
    .where('destino', 'in', [...keys.keys()])
    .execute()
  const slow = new Map<string, number>()
  for (const row of rows) {
    const destino = keys.get(row.destino) ?? row.destino
    slow.set(destino, Math.max(slow.get(destino) ?? 0, row.pausado_ate))
  }
  return slow
}

interface Behaviour {
  readonly ok: boolean
  /** Whose failure it is; absent: the destination's, for every Empresa. */
  readonly de?: 'mensagem' | undefined
  readonly tookMs: number
  /** Pause that the destination asked for. */
  readonly waitMs?: number
  readonly now: number
}

/**
 * Stores the result of a destination in the transaction that ends the attempt. A failing destination is deferred with
 * all its waiting messages, so that they do not occupy slots. A message that the destination refused defers those of
 * its Empresa only.
 */
export async function recordBehaviour(
  tx: Database,
  to: SenderTo,
  { ok, de, tookMs, waitMs = 0, now }: Behaviour,
): Promise<void> {
  const { destino, empresaId } = to
  if (ok && tookMs <= SLOW_MS) {
    const ended = await tx
      .deleteFrom('destinos_lentos')
      .where('destino', 'in', [destino, ownKey(to)])
      .returning('destino')
      .execute()
    const isOfAll = ended.some((row) => row.destino === destino)
    if (ended.length > 0) await resumeGroup(tx, { grupo: destino, ...(!isOfAll && { empresaId }) }, FAST, now)
    return
  }
  const isOwn = de === 'mensagem'
  const key = isOwn ? ownKey(to) : destino
  const before = await tx.selectFrom('destinos_lentos').select('falhas').where('destino', '=', key).executeTakeFirst()
  const falhas = ok ? 0 : (before?.falhas ?? 0) + 1
  const pausado_ate = falhas === 0 ? now : now + Math.max(waitMs, backOff(falhas, Math.random(), LONGEST_PAUSE_MS))
  const noted = { falhas, pausado_ate, visto_em: now }
  await tx
    .insertInto('destinos_lentos')
    .values({ destino: key, ...noted })
    .onConflict((conflict) => conflict.column('destino').doUpdateSet(noted))
    .execute()
  await holdGroup(tx, { grupo: destino, ...(isOwn && { empresaId }) }, SLOW, pausado_ate)
}

export const forgetDestinations = async (db: Database, before: number): Promise<void> => {
  await db.deleteFrom('destinos_lentos').where('visto_em', '<', before).execute()
}
