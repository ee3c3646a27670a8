import type { ExpressionBuilder, Insertable, Selectable } from 'kysely'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'
import { lifetimes } from './lifetimes.ts'

export type ClientRow = Selectable<Tables['clientes_oauth']>

/** Not expired: new, recently used, or with a live authorization. */
const isLive = (now: number) => (eb: ExpressionBuilder<Tables, 'clientes_oauth'>) =>
  eb.or([
    eb.and([eb('usado_em', 'is', null), eb('criado_em', '>', now - lifetimes.unusedClient)]),
    // The explicit null check keeps the negation correct: in SQL `not (null > 1)` is null.
    eb.and([eb('usado_em', 'is not', null), eb('usado_em', '>', now - lifetimes.idleClient)]),
    eb.exists(
      eb
        .selectFrom('autorizacoes_oauth')
        .select('autorizacoes_oauth.id')
        .whereRef('autorizacoes_oauth.cliente_id', '=', 'clientes_oauth.id')
        .where('autorizacoes_oauth.revogada_em', 'is', null)
        .where('autorizacoes_oauth.usada_em', 'is not', null)
        .where('autorizacoes_oauth.expira_em', '>', now),
    ),
  ])

/** Ignores expired clients. */
export const findClient = (db: Database, clientId: string, now: number): Promise<ClientRow | undefined> =>
  db.selectFrom('clientes_oauth').selectAll().where('client_id', '=', clientId).where(isLive(now)).executeTakeFirst()

export const insertClient = (db: Database, values: Insertable<Tables['clientes_oauth']>): Promise<ClientRow> =>
  db.insertInto('clientes_oauth').values(values).returningAll().executeTakeFirstOrThrow()

/** Replaces the values of a program by those of its newer document. undefined: the program is no longer known. */
export const updateDocument = (
  db: Database,
  clientId: string,
  values: Pick<ClientRow, 'nome' | 'redirect_uris_json' | 'lido_em'>,
): Promise<ClientRow | undefined> =>
  db.updateTable('clientes_oauth').set(values).where('client_id', '=', clientId).returningAll().executeTakeFirst()

export const markClientUsed = async (db: Database, id: number, now: number): Promise<void> => {
  await db.updateTable('clientes_oauth').set({ usado_em: now }).where('id', '=', id).execute()
}

/** Also deletes their authorizations, which have all ended. */
export const deleteExpiredClients = async (db: Database, now: number): Promise<void> => {
  await db
    .deleteFrom('clientes_oauth')
    .where((eb) => eb.not(isLive(now)(eb)))
    .execute()
}

export const countClients = async (db: Database): Promise<number> => {
  const { total } = await db
    .selectFrom('clientes_oauth')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** Deletes the oldest client without any use. */
export const deleteOldestUnused = async (db: Database): Promise<void> => {
  await db
    .deleteFrom('clientes_oauth')
    .where('id', '=', (eb) =>
      eb.selectFrom('clientes_oauth').select('id').where('usado_em', 'is', null).orderBy('id').limit(1),
    )
    .execute()
}
