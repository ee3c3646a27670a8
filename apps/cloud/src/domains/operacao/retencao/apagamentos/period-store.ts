import { empresaInPeriod } from '../../../../db/eventos.ts'
import { heldPassagens } from '../../../../db/held-eventos.ts'
import type { Database } from '../../../../db/open.ts'
import type { Periodo } from '../../../../http/past-period.ts'

/** Records that a deletion reaches: those of a period, or those among them that hold one plate. */
export interface Alvo extends Periodo {
  /** Normalized; null: of every plate. */
  readonly placa: string | null
}

const eventosIn = (db: Database, alvo: Alvo) => {
  const { empresaId, cameras, inicio, fim, placa } = alvo
  return db
    .selectFrom('eventos')
    .where(empresaInPeriod(db), '=', empresaId)
    .where('eventos.ocorrido_em', '>=', inicio)
    .where('eventos.ocorrido_em', '<', fim)
    .$if(cameras !== null, (qb) => qb.where('eventos.camera_id', 'in', cameras ?? []))
    .$if(placa !== null, (qb) =>
      qb
        .where('eventos.tipo', '=', 'placa')
        .where((eb) =>
          eb.or([
            eb('eventos.detalhes_json', 'like', `%"placa":"${placa}"%`),
            eb('eventos.passagem_id', 'in', ofPlate(db, alvo).select('passagens.id')),
          ]),
        ),
    )
}

/** Position in the order of `listEventosIn`. */
export interface EventoPosition {
  readonly id: number
  readonly ocorrido_em: number
}

/** The next events of the period, in the order of their time. */
export const listEventosIn = (db: Database, alvo: Alvo, after: EventoPosition | null, limit: number) =>
  eventosIn(db, alvo)
    .select(['id', 'incidente_id', 'ocorrido_em'])
    .$if(after !== null, (qb) =>
      // A lower bound of its own: the next page begins there in the index.
      qb
        .where('ocorrido_em', '>=', after?.ocorrido_em ?? 0)
        .where((eb) =>
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

/**
 * All events of the incidentes that have an event in the period, and those there without an incidente. A
 * deletion of one plate has only its events.
 */
const eventosOf = (db: Database, alvo: Alvo) => {
  const columns = ['eventos.id', 'eventos.incidente_id'] as const
  if (alvo.placa !== null) return eventosIn(db, alvo).select(columns)
  const incidentes = eventosIn(db, alvo)
    .select((eb) => eb.ref('incidente_id').$notNull().as('incidente_id'))
    .where('incidente_id', 'is not', null)
  const ofIncidentes = db.selectFrom('eventos').select(columns).where('incidente_id', 'in', incidentes)
  return ofIncidentes.unionAll(eventosIn(db, alvo).select(columns).where('incidente_id', 'is', null))
}

/** Events preserved at `now`, of any Empresa: there are few, so that a query begins with them. */
const held = (db: Database, now: number) =>
  db
    .selectFrom('eventos')
    .where('id', 'in', (eb) => eb.selectFrom('preservacoes').select('evento_id').where('ate', '>', now))

/** Ids of the events that a deletion deletes now, or of those that stay because of a hold. */
const chosenIn = (db: Database, alvo: Alvo, now: number, { isHeld }: { readonly isHeld: boolean }) => {
  const among = isHeld ? ('in' as const) : ('not in' as const)
  const incidentes = held(db, now)
    .select((eb) => eb.ref('incidente_id').$notNull().as('incidente_id'))
    .where('incidente_id', 'is not', null)
  return db
    .selectFrom(eventosOf(db, alvo).as('e'))
    .select('e.id')
    .where((eb) =>
      eb.or([
        eb.and([eb('e.incidente_id', 'is', null), eb('e.id', among, held(db, now).select('eventos.id'))]),
        eb.and([eb('e.incidente_id', 'is not', null), eb('e.incidente_id', among, incidentes)]),
      ]),
    )
}

/** Preserved events among them, at most `limit`, and the number of events that stay because of them. */
export async function countHeld(db: Database, alvo: Alvo, now: number, limit = 1) {
  const kept = chosenIn(db, alvo, now, { isHeld: true })
  const ids = await held(db, now).select('id').where('id', 'in', kept).orderBy('id').limit(limit).execute()
  const { n } = await db
    .selectFrom('eventos')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('id', 'in', kept)
    .executeTakeFirstOrThrow()
  return { ids: ids.map(({ id }) => id), eventos: Number(n) }
}

/** Number, files and period of the events that a deletion deletes now. */
export async function countEventos(db: Database, alvo: Alvo, now: number) {
  const due = chosenIn(db, alvo, now, { isHeld: false })
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

/** Passages that hold a plate, as it was read or as a person corrected it. */
const ofPlate = (db: Database, { empresaId, placa }: Alvo) =>
  db
    .selectFrom('passagens')
    .where('empresa_id', '=', empresaId)
    .where((eb) => eb.or([eb('passagens.placa', '=', placa), eb('passagens.placa_lida', '=', placa)]))

/** Passages of the period. @param isHeld those that stay because of a hold at `now`, or the others */
export const passagensIn = (db: Database, alvo: Alvo, now: number, { isHeld }: { readonly isHeld: boolean }) => {
  const { empresaId, cameras, inicio, fim, placa } = alvo
  const query = placa === null ? db.selectFrom('passagens').where('empresa_id', '=', empresaId) : ofPlate(db, alvo)
  return query
    .where('passagens.ocorrido_em', '>=', inicio)
    .where('passagens.ocorrido_em', '<', fim)
    .$if(cameras !== null, (qb) => qb.where('passagens.camera_id', 'in', cameras ?? []))
    .where('passagens.id', isHeld ? 'in' : 'not in', heldPassagens(db, now))
}

export async function countPassagensIn(db: Database, alvo: Alvo, now: number, isHeld: boolean): Promise<number> {
  const { n } = await passagensIn(db, alvo, now, { isHeld })
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
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
