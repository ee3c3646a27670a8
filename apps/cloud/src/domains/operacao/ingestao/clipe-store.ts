import {
  type Clipe,
  MAX_SEM_CLIPES_MENSAGEM,
  type MotivoSemClipe,
  type SemClipe,
  type SemClipes,
} from '@vigia/contracts/extras'
import type { Insertable } from 'kysely'
import { discardOfCamera, wakeCompletion, wakeOrders } from '../../../db/clipes.ts'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'

/** An event that a clip may show. */
interface EventoOfClipe {
  readonly id: number
  readonly uuid: string
  readonly empresa_id: number
  readonly camera_id: number
  readonly edge_id: number
  readonly veredito_decisao: 'confirmado' | 'refutado' | null
}

/** The state that clips are planned on. */
export interface KnownClipes {
  /** By uuid, lower case. */
  readonly eventos: ReadonlyMap<string, EventoOfClipe>
  /** Stored ones, lower case. */
  readonly uuids: ReadonlySet<string>
  /** Clip of each event that has one. */
  readonly clipeDe: ReadonlyMap<number, number>
  /** Events of each list (`sem_clipes`), by the id of the list. */
  readonly listas: ReadonlyMap<string, readonly string[]>
}

/** A list is sent soon after its events, so that older events of the camera are not searched. */
const MOST_RECENT = 4_096

async function readLists(db: Database, lists: readonly SemClipes[], edgeId: number): Promise<KnownClipes['listas']> {
  const uuids = new Map<string, readonly string[]>()
  for (const { id, camera_id, seqs } of lists) {
    const rows = await db
      .with('recentes', (cte) =>
        cte
          .selectFrom('eventos')
          .select(['uuid', 'seq', 'edge_id'])
          .where('camera_id', '=', camera_id)
          .orderBy('id', 'desc')
          .limit(MOST_RECENT),
      )
      .selectFrom('recentes')
      .select('uuid')
      .where('edge_id', '=', edgeId)
      .where('seq', 'in', seqs)
      .execute()
    uuids.set(
      id,
      rows.map(({ uuid }) => uuid),
    )
  }
  return uuids
}

export interface NewClipe {
  readonly linha: Insertable<Tables['clipes']>
  readonly membros: readonly { readonly evento_id: number; readonly deslocamento_ms: number }[]
}

export interface Absence {
  readonly evento_id: number
  /** null: the edge has no clip of this event. */
  readonly clipe_id: number | null
  readonly motivo: MotivoSemClipe
}

/** Called in the transaction that holds the lock of the edge. `lock`: locks the events too, ordered by id. */
export async function readClipes(
  db: Database,
  extras: readonly (Clipe | SemClipe | SemClipes)[],
  { lock, edgeId }: { readonly lock: boolean; readonly edgeId: number },
): Promise<KnownClipes> {
  const lists = extras.filter((extra) => extra.tipo === 'sem_clipes').slice(0, MAX_SEM_CLIPES_MENSAGEM)
  const listas = await readLists(db, lists, edgeId)
  const eventoUuids = extras.flatMap((extra) => {
    if (extra.tipo === 'sem_clipes') return listas.get(extra.id) ?? []
    return extra.tipo === 'clipe' ? extra.eventos.map(({ evento }) => evento) : [extra.evento]
  })
  const wanted = [...new Set(eventoUuids.map((uuid) => uuid.toLowerCase()))]
  if (wanted.length === 0) return { eventos: new Map(), uuids: new Set(), clipeDe: new Map(), listas }
  const eventos = await db
    .selectFrom('eventos')
    .select(['id', 'uuid', 'empresa_id', 'camera_id', 'edge_id'])
    .where('uuid', 'in', wanted)
    .orderBy('id')
    .execute()
  const verdicts = new Map<number, EventoOfClipe['veredito_decisao']>()
  for (const { id } of eventos) {
    const row = await (lock
      ? db
          .updateTable('eventos')
          .set((eb) => ({ retroativo: eb.ref('retroativo') }))
          .where('id', '=', id)
          .returning('veredito_decisao')
          .executeTakeFirst()
      : db.selectFrom('eventos').select('veredito_decisao').where('id', '=', id).executeTakeFirst())
    if (row) verdicts.set(id, row.veredito_decisao)
  }
  const ids = [...verdicts.keys()]
  const uuids = extras.map(({ id }) => id.toLowerCase())
  const stored = await db.selectFrom('clipes').select('uuid').where('uuid', 'in', uuids).execute()
  const members =
    ids.length === 0
      ? []
      : await db.selectFrom('clipes_eventos').select(['evento_id', 'clipe_id']).where('evento_id', 'in', ids).execute()
  return {
    eventos: new Map(
      eventos.flatMap((row): [string, EventoOfClipe][] => {
        const veredito_decisao = verdicts.get(row.id)
        return veredito_decisao === undefined ? [] : [[row.uuid, { ...row, veredito_decisao }]]
      }),
    ),
    uuids: new Set(stored.map(({ uuid }) => uuid)),
    clipeDe: new Map(members.flatMap(({ evento_id, clipe_id }) => (clipe_id === null ? [] : [[evento_id, clipe_id]]))),
    listas,
  }
}

export async function insertClipes(tx: Database, clipes: readonly NewClipe[], now: number): Promise<void> {
  for (const { linha, membros } of clipes) {
    const { id } = await tx.insertInto('clipes').values(linha).returning('id').executeTakeFirstOrThrow()
    for (const membro of membros) await saveMember(tx, { ...membro, clipe_id: id, motivo: null })
    if (linha.desejado !== 0) await wakeOrders(tx, linha, now)
    // A clip that the edge cut while its camera was removed.
    const camera = await tx.selectFrom('cameras').select('id').where('id', '=', linha.camera_id).executeTakeFirst()
    if (!camera) await discardOfCamera(tx, linha.camera_id, now)
  }
}

/** Stores why events have no clip, or why the edge no longer holds their clip. A stored file stays. */
export async function insertAbsences(tx: Database, absences: readonly Absence[], now: number): Promise<void> {
  for (const { evento_id, clipe_id, motivo } of absences) {
    if (clipe_id === null) {
      await saveMember(tx, { evento_id, clipe_id, deslocamento_ms: 0, motivo })
      await wakeCompletion(tx, [evento_id], now)
    } else
      await tx
        .updateTable('clipes')
        .set({ estado: 'perdido', motivo })
        .where('id', '=', clipe_id)
        .where('estado', 'in', ['na_caixa', 'pedido'])
        // The edge repeats that it has no clip, while a recording of the recorder has become the clip.
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('gravacoes').select('gravacoes.id').whereRef('gravacoes.clipe_id', '=', 'clipes.id'))),
        )
        .execute()
  }
}

const saveMember = (tx: Database, row: Insertable<Tables['clipes_eventos']>) =>
  tx
    .insertInto('clipes_eventos')
    .values(row)
    .onConflict((conflict) => conflict.column('evento_id').doUpdateSet(row))
    .execute()
