import type { Selectable } from 'kysely'
import { type Due, isDue } from '../../../db/due.ts'
import type { Database } from '../../../db/open.ts'
import type { EventoRow } from '../../../db/rows.ts'
import type { Tables } from '../../../db/tables.ts'

export type AvisoRow = Selectable<Tables['avisos_incidente']>
type Situacao = Tables['avisos_evento']['situacao']

interface NewAviso {
  readonly canalId: number
  readonly eventoId: number
  readonly incidenteId: number | null
  readonly situacao: Situacao
}

/**
 * Records that a canal reports an event. The caller has locked the incidente of the event.
 * @returns the earlier situation; null: it was not reported; `igual`: nothing changed
 */
export async function saveAviso(
  tx: Database,
  { canalId, eventoId, incidenteId, situacao }: NewAviso,
  now: number,
): Promise<Situacao | null | 'igual'> {
  const before = await tx
    .selectFrom('avisos_evento')
    .select('situacao')
    .where('canal_id', '=', canalId)
    .where('evento_id', '=', eventoId)
    .executeTakeFirst()
  if (before?.situacao === situacao || (before && situacao === 'nao_verificado')) return 'igual'
  await tx
    .insertInto('avisos_evento')
    .values({
      canal_id: canalId,
      evento_id: eventoId,
      incidente_id: incidenteId,
      situacao,
      mensagem_id: null,
      criado_em: now,
    })
    .onConflict((conflict) => conflict.columns(['canal_id', 'evento_id']).doUpdateSet({ situacao }))
    .execute()
  return before?.situacao ?? null
}

/** Canais that reported an event, and have not discarded it. */
export const listReporting = (tx: Database, eventoId: number, canais: readonly number[]) =>
  canais.length === 0
    ? Promise.resolve([])
    : tx
        .selectFrom('avisos_evento')
        .select(['canal_id', 'mensagem_id'])
        .where('evento_id', '=', eventoId)
        .where('canal_id', 'in', canais)
        .where('situacao', '<>', 'descartado')
        .orderBy('canal_id')
        .execute()

/** States the message that covers an event, or all events of an incidente without one. */
export async function coverEventos(
  tx: Database,
  canalId: number,
  which: { readonly eventoId: number } | { readonly incidenteId: number },
  mensagemId: string,
): Promise<void> {
  await tx
    .updateTable('avisos_evento')
    .set({ mensagem_id: mensagemId })
    .where('canal_id', '=', canalId)
    .where('mensagem_id', 'is', null)
    .$if('eventoId' in which, (qb) => qb.where('evento_id', '=', 'eventoId' in which ? which.eventoId : 0))
    .$if('incidenteId' in which, (qb) => qb.where('incidente_id', '=', 'incidenteId' in which ? which.incidenteId : 0))
    .execute()
}

/** Events of an incidente that a canal reports. */
export type ReportedEvento = EventoRow & { readonly mensagem_id: string | null; readonly situacao: Situacao }

/** Without discarded ones, in order of time. */
export const listReported = (tx: Database, canalId: number, incidenteId: number): Promise<ReportedEvento[]> =>
  tx
    .selectFrom('avisos_evento')
    .innerJoin('eventos', 'eventos.id', 'avisos_evento.evento_id')
    .selectAll('eventos')
    .select(['avisos_evento.mensagem_id', 'avisos_evento.situacao'])
    .where('avisos_evento.canal_id', '=', canalId)
    .where('avisos_evento.incidente_id', '=', incidenteId)
    .where('avisos_evento.situacao', '<>', 'descartado')
    .orderBy('eventos.ocorrido_em')
    .orderBy('eventos.id')
    .execute()

const key = (tx: Database, canalId: number, incidenteId: number) =>
  tx.selectFrom('avisos_incidente').selectAll().where('canal_id', '=', canalId).where('incidente_id', '=', incidenteId)

/** The state of an incidente for a canal, made at its first use. */
export async function openAviso(tx: Database, canalId: number, incidenteId: number, now: number): Promise<AvisoRow> {
  await tx
    .insertInto('avisos_incidente')
    .values({ canal_id: canalId, incidente_id: incidenteId, criado_em: now })
    .onConflict((conflict) => conflict.columns(['canal_id', 'incidente_id']).doNothing())
    .execute()
  return key(tx, canalId, incidenteId).executeTakeFirstOrThrow()
}

/** undefined: the canal has no message about it. */
export const findAviso = (tx: Database, canalId: number, incidenteId: number): Promise<AvisoRow | undefined> =>
  key(tx, canalId, incidenteId).executeTakeFirst()

export async function changeAviso(
  tx: Database,
  { canal_id, incidente_id }: Pick<AvisoRow, 'canal_id' | 'incidente_id'>,
  changes: Partial<Pick<AvisoRow, 'mensagem_id' | 'mensagens' | 'ultima_em' | 'gravidade' | 'ao_vivo' | 'a_resumir'>>,
): Promise<void> {
  await tx
    .updateTable('avisos_incidente')
    .set(changes)
    .where('canal_id', '=', canal_id)
    .where('incidente_id', '=', incidente_id)
    .execute()
}

/** Incidentes that the next digest of a canal lists, oldest first. */
export const listToDigest = (tx: Database, canalId: number): Promise<AvisoRow[]> =>
  tx
    .selectFrom('avisos_incidente')
    .selectAll()
    .where('canal_id', '=', canalId)
    .where('a_resumir', '=', 1)
    .orderBy('incidente_id')
    .execute()

/** An SQLite statement accepts 32,766 values. */
const ROWS_AT_ONCE = 1_000

/** Ends the wait of incidentes of a canal for its digest. */
export async function clearDigest(tx: Database, canalId: number, incidentes: readonly number[]): Promise<void> {
  for (let i = 0; i < incidentes.length; i += ROWS_AT_ONCE)
    await tx
      .updateTable('avisos_incidente')
      .set({ a_resumir: 0 })
      .where('canal_id', '=', canalId)
      .where('incidente_id', 'in', incidentes.slice(i, i + ROWS_AT_ONCE))
      .execute()
}

/** Events of an incidente with a verdict, in order of time. */
export const listConfirmed = (tx: Database, incidenteId: number): Promise<EventoRow[]> =>
  tx
    .selectFrom('eventos')
    .selectAll()
    .where('incidente_id', '=', incidenteId)
    .where('veredito_decisao', '=', 'confirmado')
    .orderBy('ocorrido_em')
    .orderBy('id')
    .execute()

/** Arrival of the last event of an incidente that is not refuted, epoch ms; null: all are refuted. */
export async function lastArrival(tx: Database, incidenteId: number): Promise<number | null> {
  const { ultima } = await tx
    .selectFrom('eventos')
    .select(({ fn }) => fn.max<number | null>('recebido_em').as('ultima'))
    .where('incidente_id', '=', incidenteId)
    .where((eb) => eb.or([eb('veredito_decisao', 'is', null), eb('veredito_decisao', '=', 'confirmado')]))
    .executeTakeFirstOrThrow()
  return ultima === null ? null : Number(ultima)
}

/** Removes up to `limit` old states of each table; returns whether there may be more. */
export async function pruneAvisos(db: Database, due: Due, limit: number): Promise<boolean> {
  const eventos = await db
    .selectFrom('avisos_evento')
    .select(['canal_id', 'evento_id'])
    .where(isDue('criado_em', due))
    .orderBy('criado_em')
    .limit(limit)
    .execute()
  for (const { canal_id, evento_id } of eventos)
    await db.deleteFrom('avisos_evento').where('canal_id', '=', canal_id).where('evento_id', '=', evento_id).execute()
  const incidentes = await db
    .selectFrom('avisos_incidente')
    .select(['canal_id', 'incidente_id'])
    .where(isDue('criado_em', due))
    .where(isDue('ultima_em', due))
    .where('a_resumir', '=', 0)
    .orderBy('criado_em')
    .limit(limit)
    .execute()
  for (const { canal_id, incidente_id } of incidentes)
    await db
      .deleteFrom('avisos_incidente')
      .where('canal_id', '=', canal_id)
      .where('incidente_id', '=', incidente_id)
      .execute()
  return eventos.length === limit || incidentes.length === limit
}
