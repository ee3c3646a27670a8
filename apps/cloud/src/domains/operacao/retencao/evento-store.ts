import { takeClipes } from '../../../db/clipes.ts'
import { type DoubtfulStamps, type Due, isStampDue, surelyAfter } from '../../../db/due.ts'
import { countGone } from '../../../db/evento-counts.ts'
import { heldEventoIds } from '../../../db/held-eventos.ts'
import { insertAlertas } from '../../../db/incidentes.ts'
import { uncountRecords } from '../../../db/media-bytes.ts'
import { listForDeletion } from '../../../db/midias-a-apagar.ts'
import type { Database } from '../../../db/open.ts'
import { unnamedPassagePictures } from '../../../db/passage-pictures.ts'
import type { EventoRow } from '../../../db/rows.ts'
import { unindex } from '../../../db/search-index.ts'
import { answerTerms, eventTerms } from '../../../db/search-words.ts'
import { shrinkIncidentes } from '../../../db/shrink-incidentes.ts'
import { transact } from '../../../db/transaction.ts'
import { unindexPart } from '../../../db/unindex-part.ts'
import { classOf } from '../../../db/verdict-class.ts'
import { recordRemoved } from './store.ts'

/** Which events go. Times are epoch ms of arrival, exclusive. */
export interface EventosDue {
  readonly empresaId: number
  readonly before: number
  /** The same for events of unanswered incidentes. */
  readonly unansweredBefore: number
  /** Events with one of these stamps are younger. */
  readonly doubtful: readonly DoubtfulStamps[]
  readonly now: number
  /** Only these of each incidente, which then stays with the others; absent: whole incidentes. */
  readonly only?: ReadonlySet<number>
}

/** Events of an Empresa that are due, in the order of arrival, and the last one that was checked. */
export async function listArrived(
  db: Database,
  { empresaId, due, after, limit }: { empresaId: number; due: Due; after: number; limit: number },
) {
  const rows = await db
    .selectFrom('eventos')
    .select(['id', 'incidente_id', 'recebido_em', 'crop_path', 'quadro_path'])
    .where('empresa_id', '=', empresaId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  const end = rows.findIndex(({ recebido_em }) => recebido_em >= due.before)
  const arrived = end === -1 ? rows : rows.slice(0, end)
  return { last: arrived.at(-1)?.id, rows: arrived.filter(({ recebido_em }) => isStampDue(recebido_em, due)) }
}

/**
 * Deletes whole incidentes among these that are due and hold no preserved event, and events without an incidente. Lists
 * their files for deletion in the same transaction, and returns them.
 * @param also adds to the transaction; receives the number of deleted events
 */
export const takeEventosDue = (
  db: Database,
  due: EventosDue,
  { incidentes, soltos }: { readonly incidentes: readonly number[]; readonly soltos: readonly number[] },
  also: (tx: Database, eventos: number) => Promise<void> = async () => {},
): Promise<string[]> =>
  transact(db, async (tx) => {
    const ids = await lockDue(tx, due, incidentes)
    const rows = [
      ...(ids.length === 0 ? [] : await lockEventos(tx, 'incidente_id', ids)),
      ...(soltos.length === 0 ? [] : await lockEventos(tx, 'id', soltos)),
    ]
    if (rows.length === 0) return []
    const held = await heldAmong(tx, rows, due.now)
    const gone = rows.filter(
      ({ id, incidente_id }) =>
        (due.only?.has(id) ?? true) &&
        (incidente_id === null ? !held.eventos.has(id) : !held.incidentes.has(incidente_id)),
    )
    await also(tx, gone.length)
    return deleteEventos(tx, due, gone)
  })

/** Locks the incidentes, then chooses those that are due: no event is newer than the time of its incidente. */
async function lockDue(tx: Database, due: EventosDue, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .updateTable('incidentes')
    .set((eb) => ({ fim: eb.ref('fim') }))
    .where('id', 'in', ids)
    .returning(['id', 'resposta', 'situacao'])
    .execute()
  const newest = await tx
    .selectFrom('eventos')
    .select('incidente_id')
    .select(({ fn }) => fn.max(surelyAfter('recebido_em', due.doubtful)).as('em'))
    .where('incidente_id', 'in', ids)
    .groupBy('incidente_id')
    .execute()
  const emOf = new Map(newest.map(({ incidente_id, em }) => [incidente_id, Number(em)]))
  return rows.flatMap(({ id, resposta, situacao }) => {
    const isUnanswered = resposta === null && situacao !== 'refutado'
    return (emOf.get(id) ?? 0) < (isUnanswered ? due.unansweredBefore : due.before) ? id : []
  })
}

const lockEventos = (tx: Database, column: 'id' | 'incidente_id', ids: readonly number[]): Promise<EventoRow[]> =>
  tx
    .updateTable('eventos')
    .set((eb) => ({ camera_nome: eb.ref('camera_nome') }))
    .where(column, 'in', ids)
    .returningAll()
    .execute()

/** Events among locked ones that a hold keeps, and their incidentes. A hold keeps its whole incidente. */
export async function heldAmong(tx: Database, rows: readonly Pick<EventoRow, 'id' | 'incidente_id'>[], now: number) {
  const ids = rows.map(({ id }) => id)
  const found = ids.length === 0 ? [] : await heldEventoIds(tx, now).where('h.id', 'in', ids).execute()
  const eventos = new Set(found.map(({ id }) => id))
  return {
    eventos,
    incidentes: new Set(rows.flatMap(({ id, incidente_id }) => (eventos.has(id) ? (incidente_id ?? []) : []))),
  }
}

/** Locks the events, after their incidentes: a hold of another event of the incidente locks that first. */
export async function lockWithIncidentes(tx: Database, ids: readonly number[]): Promise<EventoRow[]> {
  if (ids.length === 0) return []
  await tx
    .updateTable('incidentes')
    .set((eb) => ({ fim: eb.ref('fim') }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('eventos')
        .select((of) => of.ref('incidente_id').$notNull().as('incidente_id'))
        .where('id', 'in', ids)
        .where('incidente_id', 'is not', null),
    )
    .execute()
  return lockEventos(tx, 'id', ids)
}

async function deleteEventos(tx: Database, { empresaId, now }: EventosDue, rows: readonly EventoRow[]) {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  await tx.deleteFrom('eventos').where('id', 'in', ids).execute()
  uncountRecords(
    tx,
    rows.map(({ linha_bytes }) => ({ empresaId, bytes: linha_bytes })),
  )
  const { emptied: incidentes, lines } = await shrinkIncidentes(tx, rows, now)
  const answers = await takeIncidentes(tx, incidentes)
  const evidencias = await tx.deleteFrom('evidencias').where('evento_id', 'in', ids).returning('caminho').execute()
  const files = [
    ...rows.flatMap(picturesOf),
    ...evidencias.map(({ caminho }) => caminho),
    ...(await takeClipes(tx, ids, now)),
    ...(await unnamedPassagePictures(tx, rows)),
  ]
  await tx.deleteFrom('avisos_evento').where('evento_id', 'in', ids).execute()
  await countGone(
    tx,
    rows.map((row) => ({ ...row, situacao: classOf(row), rotulo: row.revisao_rotulo })),
  )
  const said = [
    ...answers,
    ...rows.flatMap(({ revisao_revisor: revisor }) => (revisor === null ? [] : { revisor, nota: null })),
  ]
  const terms = [...rows.flatMap(eventTerms), ...said.flatMap(({ revisor, nota }) => answerTerms(revisor, nota))]
  await unindex(tx, empresaId, { eventos: ids, incidentes, terms })
  await unindexPart(tx, empresaId, rows, new Set(incidentes))
  await listForDeletion(tx, files)
  await recordRemoved(tx, { empresaId, tipo: 'eventos', times: rows.map(({ recebido_em }) => recebido_em) }, now)
  if (lines.length > 0) await insertAlertas(tx, lines)
  return files
}

/** Deletes incidentes without events, and returns their answers. */
async function takeIncidentes(tx: Database, ids: readonly number[]) {
  if (ids.length === 0) return []
  const of = tx.selectFrom('atendimentos').select(['revisor', 'nota'])
  const answers = await of.where('incidente_id', 'in', ids).execute()
  await tx.deleteFrom('avisos_incidente').where('incidente_id', 'in', ids).execute()
  await tx.deleteFrom('incidentes').where('id', 'in', ids).execute()
  return answers
}

/** Paths of the crop, of its line of training data, and of the whole frame. */
const picturesOf = ({ crop_path, quadro_path }: Pick<EventoRow, 'crop_path' | 'quadro_path'>): string[] => [
  // The picture of a passage is deleted with the passage (db/passage-pictures.ts).
  ...(crop_path === null || crop_path.startsWith('passagens/') ? [] : [crop_path]),
  ...(crop_path?.startsWith('dataset/') ? [crop_path.replace(/\.jpg$/, '.json')] : []),
  ...(quadro_path === null ? [] : [quadro_path]),
]

/** Records of an Empresa at a time. */
export interface Chosen {
  readonly empresaId: number
  readonly ids: readonly number[]
  readonly now: number
}

/** Removes the pictures of these events, except of preserved ones, and lists the files for deletion. */
export const takePictures = (db: Database, { empresaId, ids, now }: Chosen): Promise<string[]> =>
  transact(db, async (tx) => {
    const locked = await lockWithIncidentes(tx, ids)
    const { eventos: held } = await heldAmong(tx, locked, now)
    const rows = locked.filter(({ id, crop_path, quadro_path }) => !held.has(id) && (crop_path ?? quadro_path) !== null)
    const gone = rows.map(({ id }) => id)
    if (gone.length === 0) return []
    const none = { crop_path: null, quadro_path: null, midia_bytes: 0 }
    await tx.updateTable('eventos').set(none).where('id', 'in', gone).execute()
    const evidencias = await tx.deleteFrom('evidencias').where('evento_id', 'in', gone).returning('caminho').execute()
    const files = [...rows.flatMap(picturesOf), ...evidencias.map(({ caminho }) => caminho)]
    await listForDeletion(tx, files)
    await recordRemoved(tx, { empresaId, tipo: 'imagens', times: rows.map(({ recebido_em }) => recebido_em) }, now)
    return files
  })
