import type { Database } from '../../../db/open.ts'
import type { Periodo } from '../../../http/past-period.ts'

const eventosIn = (db: Database, { empresaId, cameras, inicio, fim }: Periodo) =>
  db
    .selectFrom('eventos')
    .where('eventos.empresa_id', '=', empresaId)
    .where('eventos.ocorrido_em', '>=', inicio)
    .where('eventos.ocorrido_em', '<', fim)
    .$if(cameras !== null, (qb) => qb.where('eventos.camera_id', 'in', cameras ?? []))

/** Position in the order of `listEventosIn`. */
export interface EventoPosition {
  readonly id: number
  readonly ocorrido_em: number
}

/** The next events of the period, in the order of their time. */
export const listEventosIn = (db: Database, periodo: Periodo, after: EventoPosition | null, limit: number) =>
  eventosIn(db, periodo)
    .select(['id', 'incidente_id', 'ocorrido_em'])
    .$if(after !== null, (qb) =>
      qb.where((eb) =>
        eb.or([
          eb('ocorrido_em', '>', after?.ocorrido_em ?? 0),
          eb.and([eb('ocorrido_em', '=', after?.ocorrido_em ?? 0), eb('id', '>', after?.id ?? 0)]),
        ]),
      ),
    )
    .orderBy('ocorrido_em')
    .orderBy('id')
    .limit(limit)
    .execute()

/** All events of the incidentes that have an event in the period, and those there without an incidente. */
const eventosOf = (db: Database, periodo: Periodo) => {
  const incidentes = eventosIn(db, periodo)
    .select((eb) => eb.ref('incidente_id').$notNull().as('incidente_id'))
    .where('incidente_id', 'is not', null)
  const ofIncidentes = db.selectFrom('eventos').select(['id', 'incidente_id']).where('incidente_id', 'in', incidentes)
  return ofIncidentes.unionAll(
    eventosIn(db, periodo).select(['eventos.id', 'incidente_id']).where('incidente_id', 'is', null),
  )
}

/** Events preserved at `now`, of any Empresa: there are few, so that a query begins with them. */
const held = (db: Database, now: number) =>
  db
    .selectFrom('eventos')
    .where('id', 'in', (eb) => eb.selectFrom('preservacoes').select('evento_id').where('ate', '>', now))

/** Ids of the events that a deletion deletes now, or of those that stay because of a hold. */
const chosenIn = (db: Database, periodo: Periodo, now: number, { isHeld }: { readonly isHeld: boolean }) => {
  const among = isHeld ? ('in' as const) : ('not in' as const)
  const incidentes = held(db, now)
    .select((eb) => eb.ref('incidente_id').$notNull().as('incidente_id'))
    .where('incidente_id', 'is not', null)
  return db
    .selectFrom(eventosOf(db, periodo).as('e'))
    .select('e.id')
    .where((eb) =>
      eb.or([
        eb.and([eb('e.incidente_id', 'is', null), eb('e.id', among, held(db, now).select('eventos.id'))]),
        eb.and([eb('e.incidente_id', 'is not', null), eb('e.incidente_id', among, incidentes)]),
      ]),
    )
}

/** Preserved events among them, at most `limit`, and the number of events that stay because of them. */
export async function countHeld(db: Database, periodo: Periodo, now: number, limit = 1) {
  const kept = chosenIn(db, periodo, now, { isHeld: true })
  const ids = await held(db, now).select('id').where('id', 'in', kept).orderBy('id').limit(limit).execute()
  const { n } = await db
    .selectFrom('eventos')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('id', 'in', kept)
    .executeTakeFirstOrThrow()
  return { ids: ids.map(({ id }) => id), eventos: Number(n) }
}

/** Number, files and period of the events that a deletion deletes now. */
export async function countEventos(db: Database, periodo: Periodo, now: number) {
  const due = chosenIn(db, periodo, now, { isHeld: false })
  const { eventos, crops, quadros, de, ate } = await db
    .selectFrom('eventos')
    .select(({ fn }) => [
      fn.countAll<number>().as('eventos'),
      fn.count<number>('crop_path').as('crops'),
      fn.count<number>('quadro_path').as('quadros'),
      fn.min('ocorrido_em').as('de'),
      fn.max('ocorrido_em').as('ate'),
    ])
    .where('id', 'in', due)
    .executeTakeFirstOrThrow()
  const { evidencias } = await db
    .selectFrom('evidencias')
    .select(({ fn }) => fn.countAll<number>().as('evidencias'))
    .where('evento_id', 'in', due)
    .executeTakeFirstOrThrow()
  const { clipes } = await db
    .selectFrom('clipes_eventos')
    .innerJoin('clipes', 'clipes.id', 'clipes_eventos.clipe_id')
    .select((eb) => eb.fn.count<number>('clipes.id').distinct().as('clipes'))
    .where('clipes_eventos.evento_id', 'in', due)
    .executeTakeFirstOrThrow()
  const imagens = Number(crops) + Number(quadros) + Number(evidencias)
  return { eventos: Number(eventos), imagens, clipes: Number(clipes), de, ate }
}

/** Parts of recorders' archives that overlap the period. */
export const gravacoesIn = (db: Database, { empresaId, cameras, inicio, fim }: Periodo) =>
  db
    .selectFrom('gravacoes')
    .where('empresa_id', '=', empresaId)
    .where('inicio', '<', fim)
    .where('fim', '>', inicio)
    .$if(cameras !== null, (qb) => qb.where('camera_id', 'in', cameras ?? []))

export const descartadosIn = (db: Database, { empresaId, cameras, inicio, fim }: Periodo) =>
  db
    .selectFrom('descartados')
    .where('empresa_id', '=', empresaId)
    .where('ocorrido_em', '>=', inicio)
    .where('ocorrido_em', '<', fim)
    .$if(cameras !== null, (qb) => qb.where('camera_id', 'in', cameras ?? []))
