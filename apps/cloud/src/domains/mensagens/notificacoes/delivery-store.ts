import { sql } from 'kysely'
import { serverOf } from '../../../adapters/senders/destination-server.ts'
import type { Mensagem } from '../../../adapters/senders/interface.ts'
import { type Due, isDue } from '../../../db/due.ts'
import { type IdPart, idParts, inPart } from '../../../db/id-parts.ts'
import { lockChosen } from '../../../db/locks.ts'
import type { Database } from '../../../db/open.ts'
import type { CanalRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import { withdrawWork } from '../../../db/work-queue/queue.ts'
import { enqueueDeliveries } from '../delivery/delivery-work.ts'
import { FAST, SLOW, slowDestinations } from './destinations-store.ts'

interface NewMessage {
  readonly mensagem: Mensagem
  readonly destinos: readonly string[]
  /** Whether a summary may carry it. */
  readonly resumivel?: boolean
  /** Whether it reports backlog only. */
  readonly atrasada?: boolean
  /** Earliest time; default: at once. */
  readonly em?: number
}

/** Adds deliveries of a canal. Existing deliveries stay unchanged. */
export async function insertDeliveries(
  tx: Database,
  canal: CanalRow,
  { mensagem, destinos, resumivel = false, atrasada = false, em = 0 }: NewMessage,
  now: number,
): Promise<void> {
  if (destinos.length === 0) return
  const mensagem_json = JSON.stringify(mensagem)
  const inserted = await tx
    .insertInto('entregas')
    .values(
      destinos.map((destino) => ({
        destino,
        mensagem_id: mensagem.id,
        mensagem_json,
        criada_em: now,
        canal_id: canal.id,
        resumivel: resumivel ? (1 as const) : (0 as const),
        atrasada: atrasada ? (1 as const) : (0 as const),
        estado: 'pendente' as const,
        terminada_em: null,
        erro: null,
        erro_em: null,
      })),
    )
    .onConflict((conflict) => conflict.columns(['canal_id', 'destino', 'mensagem_id']).doNothing())
    .returning(['id', 'destino'])
    .execute()
  const slow = await slowDestinations(
    tx,
    canal.empresa_id,
    inserted.map(({ destino }) => destino),
  )
  await enqueueDeliveries(
    tx,
    inserted.map(({ id, destino }) => ({
      tipo: slow.has(destino) ? SLOW : FAST,
      id,
      empresaId: canal.empresa_id,
      lane: serverOf(canal.tipo, destino),
      destino,
      em: Math.max(em, slow.get(destino) ?? 0),
    })),
    now,
  )
}

/**
 * Withdraws waiting messages of a canal that a later one replaces. A message in delivery stays.
 * @param erro Portuguese reason for the list of deliveries
 */
export async function withdrawDeliveries(
  tx: Database,
  {
    canalId,
    mensagens,
    erro,
  }: { readonly canalId: number; readonly mensagens: readonly string[]; readonly erro: string },
  now: number,
): Promise<void> {
  if (mensagens.length === 0) return
  const waiting = await tx
    .selectFrom('entregas')
    .select('id')
    .where('canal_id', '=', canalId)
    .where('mensagem_id', 'in', mensagens)
    .where('estado', '=', 'pendente')
    .execute()
  const withdrawn = await withdrawWork(
    tx,
    [FAST, SLOW],
    waiting.map(({ id }) => String(id)),
  )
  for (const chave of withdrawn) await giveUpDelivery(tx, Number(chave), erro, now)
}

export async function isQueued(tx: Database, canalId: number, mensagemId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('entregas')
    .select('id')
    .where('canal_id', '=', canalId)
    .where('mensagem_id', '=', mensagemId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Destinations that have received one of these messages, or may be receiving it now. */
export async function reachedDestinations(
  tx: Database,
  canalId: number,
  mensagens: readonly string[],
): Promise<string[]> {
  if (mensagens.length === 0) return []
  const rows = await tx
    .selectFrom('entregas')
    .select('destino')
    .distinct()
    .where('canal_id', '=', canalId)
    .where('mensagem_id', 'in', mensagens)
    .where('estado', 'in', ['entregue', 'pendente'])
    .execute()
  return rows.map(({ destino }) => destino)
}

/** Finds a waiting delivery; undefined: it is done, or its canal was removed. */
export const findDelivery = (db: Database, id: number) =>
  db.selectFrom('entregas').selectAll().where('id', '=', id).where('estado', '=', 'pendente').executeTakeFirst()

/** Whether no other message of the canal has arrived yet, as far as its deliveries are kept. */
export async function isFirstMessage(
  db: Database,
  { canal_id, mensagem_id }: { readonly canal_id: number; readonly mensagem_id: string },
): Promise<boolean> {
  const arrived = db.selectFrom('entregas').select('id').where('canal_id', '=', canal_id)
  const others = arrived.where('estado', '=', 'entregue').where('mensagem_id', '!=', mensagem_id)
  return (await others.limit(1).executeTakeFirst()) === undefined
}

const waiting = (tx: Database, id: number) =>
  tx.updateTable('entregas').where('id', '=', id).where('estado', '=', 'pendente')

export const markDelivered = async (tx: Database, id: number, now: number): Promise<void> => {
  await waiting(tx, id).set({ estado: 'entregue', terminada_em: now }).execute()
}

/** Stores the error of a failed attempt that will be retried. */
export const noteFailure = async (tx: Database, id: number, erro: string, now: number): Promise<void> => {
  await waiting(tx, id).set({ erro, erro_em: now }).execute()
}

export const giveUpDelivery = async (tx: Database, id: number, erro: string, now: number): Promise<void> => {
  await waiting(tx, id).set({ estado: 'desistida', terminada_em: now, erro, erro_em: now }).execute()
}

/**
 * Removes up to `limit` old deliveries that ended, including the stopped work of abandoned ones. Returns
 * their number.
 */
export async function pruneDeliveries(db: Database, due: Due, limit: number): Promise<number> {
  return transact(db, async (tx) => {
    const old = await lockChosen(
      tx,
      tx
        .selectFrom('entregas')
        .select('id')
        .where('estado', 'in', ['entregue', 'desistida'])
        .where(isDue('terminada_em', due))
        .limit(limit),
    ).execute()
    if (old.length === 0) return 0
    const ids = old.map(({ id }) => id)
    await withdrawWork(tx, [FAST, SLOW], ids.map(String))
    await tx.deleteFrom('entregas').where('id', 'in', ids).execute()
    return ids.length
  })
}

/** Removes the stopped work of deliveries without a canal. */
export const dropOrphans = async (db: Database): Promise<void> => {
  await db
    .deleteFrom('trabalhos')
    .where('tipo', 'in', [FAST, SLOW])
    .where('estado', '=', 'parado')
    .where('chave', 'not in', (eb) => eb.selectFrom('entregas').select(sql<string>`cast(id as text)`.as('chave')))
    .execute()
}

/** Results of a canal's stored deliveries. */
export interface Tally {
  readonly pendentes: number
  readonly entregues: number
  readonly desistidas: number
  /** Error of the last failed attempt. */
  readonly erro: string | null
  readonly erroEm: number | null
}
export const emptyTally: Tally = { pendentes: 0, entregues: 0, desistidas: 0, erro: null, erroEm: null }

/** Returns the results by canal; canais without deliveries are missing. */
export async function tallyOf(db: Database, canalIds: readonly number[]): Promise<Map<number, Tally>> {
  const tallies = new Map<number, Tally>()
  if (canalIds.length === 0) return tallies
  for await (const part of idParts(db, 'entregas')) {
    for (const { canal_id, estado, n } of await countStates(db, canalIds, part)) {
      const known = tallies.get(canal_id) ?? emptyTally
      const field = fields[estado]
      tallies.set(canal_id, { ...known, [field]: known[field] + Number(n) })
    }
    for (const { canal_id, erro, erro_em } of await lastErrors(db, canalIds, part)) {
      const known = tallies.get(canal_id) ?? emptyTally
      // The parts begin with the newest deliveries.
      if ((erro_em ?? 0) > (known.erroEm ?? 0)) tallies.set(canal_id, { ...known, erro, erroEm: erro_em })
    }
  }
  return tallies
}

const fields = { pendente: 'pendentes', entregue: 'entregues', desistida: 'desistidas' } as const

const countStates = (db: Database, canalIds: readonly number[], part: IdPart) =>
  db
    .selectFrom('entregas')
    .select(({ fn }) => ['canal_id', 'estado', fn.countAll<number>().as('n')])
    .where('canal_id', 'in', canalIds)
    .where(inPart(part))
    .groupBy(['canal_id', 'estado'])
    .execute()

/** The last failed attempt of each canal. */
const lastErrors = (db: Database, canalIds: readonly number[], part: IdPart) =>
  db
    .selectFrom(
      db
        .selectFrom('entregas')
        .select(({ fn }) => [
          ...(['canal_id', 'erro', 'erro_em'] as const),
          fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('canal_id').orderBy('erro_em', 'desc').orderBy('id', 'desc'))
            .as('posicao'),
        ])
        .where('canal_id', 'in', canalIds)
        .where('erro_em', 'is not', null)
        .where(inPart(part))
        .as('ultimos'),
    )
    .select(['canal_id', 'erro', 'erro_em'])
    .where('posicao', '=', 1)
    .execute()
