import { sql } from 'kysely'
import type { Database } from '../../db/open.ts'

export interface NewDelivery {
  readonly canal_id: number
  readonly destino: string
  readonly mensagem_id: string
  readonly mensagem_json: string
  readonly criada_em: number
}

/** Puts deliveries into the queue, due at once. What is there already, done or not, stays as it is. */
export async function insertDeliveries(db: Database, rows: readonly NewDelivery[]): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('entregas')
    .values(
      rows.map((row) => ({
        ...row,
        estado: 'pendente' as const,
        proxima_em: row.criada_em,
        terminada_em: null,
        erro: null,
        erro_em: null,
      })),
    )
    .onConflict((conflict) => conflict.columns(['canal_id', 'destino', 'mensagem_id']).doNothing())
    .execute()
}

/** Takes a message that waits for a channel out of the queue: a later one says more. */
export const withdrawDeliveries = (db: Database, canalId: number, mensagemId: string, agora: number) =>
  db
    .updateTable('entregas')
    .set({
      estado: 'desistida',
      terminada_em: agora,
      erro: 'A volta foi avisada no lugar deste aviso.',
      erro_em: agora,
    })
    .where('canal_id', '=', canalId)
    .where('mensagem_id', '=', mensagemId)
    .where('estado', '=', 'pendente')
    .execute()

const pending = (db: Database) =>
  db
    .selectFrom('entregas')
    .innerJoin('canais_notificacao', 'canais_notificacao.id', 'entregas.canal_id')
    .where('entregas.estado', '=', 'pendente')

/** Deliveries that are not asked for. */
export interface Except {
  readonly destinos: readonly string[]
  readonly canalTipos: readonly DueDelivery['canal_tipo'][]
  readonly empresas: readonly number[]
}

/** Deliveries whose time has come, the longest due first; without `except`, and behind `after` in that order. */
export const dueDeliveries = (
  db: Database,
  agora: number,
  { except, after, limit }: { except: Except; after: DueDelivery | undefined; limit: number },
) =>
  pending(db)
    .select([
      'entregas.id',
      'entregas.destino',
      'entregas.tentativas',
      'entregas.proxima_em',
      'canais_notificacao.tipo as canal_tipo',
      'canais_notificacao.empresa_id',
    ])
    .where('entregas.proxima_em', '<=', agora)
    .$if(except.destinos.length > 0, (qb) => qb.where('entregas.destino', 'not in', except.destinos))
    .$if(except.canalTipos.length + except.empresas.length > 0, (qb) =>
      qb.where('entregas.canal_id', 'not in', (eb) =>
        eb
          .selectFrom('canais_notificacao')
          .select('id')
          .where((or) => or.or([or('tipo', 'in', except.canalTipos), or('empresa_id', 'in', except.empresas)])),
      ),
    )
    .$if(after !== undefined, (qb) =>
      qb.where(sql<boolean>`(entregas.proxima_em, entregas.id) > (${after?.proxima_em}, ${after?.id})`),
    )
    .orderBy('entregas.proxima_em')
    .orderBy('entregas.id')
    .limit(limit)
    .execute()

export interface DueDelivery {
  readonly id: number
  readonly destino: string
  readonly tentativas: number
  readonly proxima_em: number
  readonly canal_tipo: 'webhook' | 'whatsapp' | 'email'
  readonly empresa_id: number
}

/** When the next delivery that is not due yet will be, epoch ms; null: none waits. */
export async function nextDelivery(db: Database, agora: number): Promise<number | null> {
  const { due } = await db
    .selectFrom('entregas')
    .select((eb) => eb.fn.min('proxima_em').as('due'))
    .where('estado', '=', 'pendente')
    .where('proxima_em', '>', agora)
    .executeTakeFirstOrThrow()
  return due
}

/** Destinations that the last try of some waiting delivery found wanting. */
export async function failingDestinations(db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('entregas')
    .select('destino')
    .distinct()
    .where('estado', '=', 'pendente')
    .where('tentativas', '>', 0)
    .execute()
  return rows.map(({ destino }) => destino)
}

/** A delivery that still waits; undefined: it is done, or its channel is gone. */
export const findDelivery = (db: Database, id: number) =>
  pending(db).selectAll('entregas').where('entregas.id', '=', id).executeTakeFirst()

export const markDelivered = async (db: Database, id: number, agora: number): Promise<void> => {
  await db
    .updateTable('entregas')
    .set((eb) => ({ estado: 'entregue', tentativas: eb('tentativas', '+', 1), ...doneAt(agora) }))
    .where('id', '=', id)
    .execute()
}

/** @param proximaEm null: there is no next try. */
export const markFailed = async (
  db: Database,
  id: number,
  { erro, agora, proximaEm }: { erro: string; agora: number; proximaEm: number | null },
): Promise<void> => {
  const next = proximaEm === null ? { estado: 'desistida' as const, ...doneAt(agora) } : { proxima_em: proximaEm }
  await db
    .updateTable('entregas')
    .set((eb) => ({ tentativas: eb('tentativas', '+', 1), erro, erro_em: agora, ...next }))
    .where('id', '=', id)
    .execute()
}

/** `proxima_em` too: what is done is found by its time in the same index as what waits. */
const doneAt = (agora: number) => ({ terminada_em: agora, proxima_em: agora })

/** Removes up to `limit` deliveries that were done before `antes`; how many there were. */
export async function pruneDeliveries(db: Database, antes: number, limit: number): Promise<number> {
  const old = db
    .selectFrom('entregas')
    .select('id')
    .where('estado', 'in', ['entregue', 'desistida'])
    .where('proxima_em', '<', antes)
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('entregas').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** What waits for a time later than any try is put off to is due: the clock was set back since. */
export const hastenDeliveries = async (db: Database, agora: number, latest: number): Promise<void> => {
  await db
    .updateTable('entregas')
    .set({ proxima_em: agora })
    .where('estado', '=', 'pendente')
    .where('proxima_em', '>', latest)
    .execute()
}

/** How the deliveries of a channel went, as far back as they are kept. */
export interface Tally {
  readonly pendentes: number
  readonly entregues: number
  readonly desistidas: number
  /** Of the last try that failed. */
  readonly erro: string | null
  readonly erroEm: number | null
}
export const emptyTally: Tally = { pendentes: 0, entregues: 0, desistidas: 0, erro: null, erroEm: null }

/** By channel; one without a delivery is not in it. */
export async function tallyOf(db: Database, canalIds: readonly number[]): Promise<Map<number, Tally>> {
  if (canalIds.length === 0) return new Map()
  const counts = await db
    .selectFrom('entregas')
    .select(({ fn }) => ['canal_id', 'estado', fn.countAll<number>().as('n')])
    .where('canal_id', 'in', canalIds)
    .groupBy(['canal_id', 'estado'])
    .execute()
  const errors = await db
    .selectFrom('entregas')
    // SQLite takes `erro` from the row that has the maximum.
    .select(({ fn }) => ['canal_id', 'erro', fn.max('erro_em').as('erro_em')])
    .where('canal_id', 'in', canalIds)
    .where('erro_em', 'is not', null)
    .groupBy('canal_id')
    .execute()
  const tallies = new Map<number, Tally>()
  const add = (canalId: number, part: Partial<Tally>) =>
    tallies.set(canalId, { ...(tallies.get(canalId) ?? emptyTally), ...part })
  const fields = { pendente: 'pendentes', entregue: 'entregues', desistida: 'desistidas' } as const
  for (const { canal_id, estado, n } of counts) add(canal_id, { [fields[estado]]: Number(n) })
  for (const { canal_id, erro, erro_em } of errors) add(canal_id, { erro, erroEm: erro_em })
  return tallies
}
