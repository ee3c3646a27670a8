import type { Database } from './open.ts'

/** Events preserved at `now`: there are few, so that a query begins with them. */
const marked = (db: Database, now: number) =>
  db.selectFrom('preservacoes').innerJoin('eventos as m', 'm.id', 'preservacoes.evento_id').where('ate', '>', now)

/** Preserved events and the other events of their incidentes: a hold keeps the whole incidente. */
const heldEventos = (db: Database, now: number) =>
  marked(db, now)
    .select(['m.id', 'm.passagem_id'])
    .union(
      marked(db, now).innerJoin('eventos as e', 'e.incidente_id', 'm.incidente_id').select(['e.id', 'e.passagem_id']),
    )

/** Ids of the events that a hold keeps at `now`. */
export const heldEventoIds = (db: Database, now: number) => db.selectFrom(heldEventos(db, now).as('h')).select('h.id')

/** Ids of the clips of such events. */
export const heldClipeIds = (db: Database, now: number) =>
  db
    .selectFrom(heldEventos(db, now).as('h'))
    .innerJoin('clipes_eventos', 'clipes_eventos.evento_id', 'h.id')
    .select((eb) => eb.ref('clipes_eventos.clipe_id').$notNull().as('clipe_id'))
    .where('clipes_eventos.clipe_id', 'is not', null)

/** Passages that a hold keeps at `now`: those of held events. */
export const heldPassagens = (db: Database, now: number) =>
  db
    .selectFrom(heldEventos(db, now).as('h'))
    .select((eb) => eb.ref('h.passagem_id').$notNull().as('id'))
    .where('h.passagem_id', 'is not', null)
    // A replica of the release before stores an event without its passage.
    .union(
      db.selectFrom(heldEventos(db, now).as('h')).innerJoin('passagens as p', 'p.evento_id', 'h.id').select('p.id'),
    )
