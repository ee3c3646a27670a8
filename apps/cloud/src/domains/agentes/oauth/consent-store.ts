import type { Insertable, Selectable } from 'kysely'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'

type TicketRow = Selectable<Tables['consentimentos_oauth']>

/**
 * Stores a ticket, keeps only the `most - 1` newest other tickets of the login and deletes expired ones. The
 * transaction has locked the login's row.
 */
export async function insertTicket(
  tx: Database,
  ticket: Insertable<Tables['consentimentos_oauth']>,
  most: number,
  now: number,
): Promise<void> {
  await tx.deleteFrom('consentimentos_oauth').where('expira_em', '<=', now).execute()
  await tx
    .deleteFrom('consentimentos_oauth')
    .where('usuario_id', '=', ticket.usuario_id)
    .where('bilhete_hash', 'not in', (qb) =>
      qb
        .selectFrom('consentimentos_oauth')
        .select('bilhete_hash')
        .where('usuario_id', '=', ticket.usuario_id)
        .orderBy('expira_em', 'desc')
        .limit(most - 1),
    )
    .execute()
  await tx.insertInto('consentimentos_oauth').values(ticket).execute()
}

/** The login of a ticket, which never changes; undefined: no such ticket. */
export async function loginOfTicket(db: Database, hash: string): Promise<number | undefined> {
  const of = db.selectFrom('consentimentos_oauth').select('usuario_id').where('bilhete_hash', '=', hash)
  return (await of.executeTakeFirst())?.usuario_id
}

/** Consumes a ticket; of two concurrent calls one gets it. undefined: used, unknown or expired. */
export const takeTicket = (tx: Database, hash: string, now: number): Promise<TicketRow | undefined> =>
  tx
    .deleteFrom('consentimentos_oauth')
    .where('bilhete_hash', '=', hash)
    .where('expira_em', '>', now)
    .returningAll()
    .executeTakeFirst()
