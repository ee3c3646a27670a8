import { type Gravidade, gravidades } from '@vigia/contracts/ias'
import type { MotivoEspera } from '@vigia/contracts/limites'
import { type ExpressionBuilder, sql } from 'kysely'
import { heldClipeIds, heldEventoIds, heldPassagens } from '../../../../db/held-eventos.ts'
import { lineageOf } from '../../../../db/lineage.ts'
import type { Database } from '../../../../db/open.ts'
import type { Tables } from '../../../../db/tables.ts'

/** The Empresa and its ancestors, each with its limit and the bytes of its subtree. */
export async function readChain(db: Database, empresaId: number) {
  const rows = await lineageOf(db, empresaId)
    .selectFrom('empresas')
    .innerJoin('acima', 'acima.id', 'empresas.id')
    .leftJoin('uso_midia', 'uso_midia.empresa_id', 'empresas.id')
    .select(['empresas.id', 'limite_bytes', 'espera_desde', 'espera_motivo'])
    .select((eb) => eb.fn.coalesce('uso_midia.bytes', eb.lit(0)).as('bytes'))
    .orderBy('acima.nivel')
    .execute()
  return rows.map((row) => ({ ...row, bytes: Number(row.bytes) }))
}

/** Bytes of an Empresa with those below it. */
export async function readUse(db: Database, empresaId: number): Promise<number> {
  const row = await db.selectFrom('uso_midia').select('bytes').where('empresa_id', '=', empresaId).executeTakeFirst()
  return row?.bytes ?? 0
}

/** Root Empresas with their limits and bytes. */
export async function listRoots(db: Database) {
  const rows = await db
    .selectFrom('empresas')
    .leftJoin('uso_midia', 'uso_midia.empresa_id', 'empresas.id')
    .select(['empresas.id', 'limite_bytes'])
    .select((eb) => eb.fn.coalesce('uso_midia.bytes', eb.lit(0)).as('bytes'))
    .where('empresa_pai_id', 'is', null)
    .where('removida_em', 'is', null)
    .execute()
  return rows.map((row) => ({ ...row, bytes: Number(row.bytes) }))
}

/** Which media may go. Those of events that are preserved at `now` stay. */
export interface Evictable {
  readonly empresaIds: readonly number[]
  readonly now: number
  readonly limit: number
}

export interface Victim {
  readonly id: number
  readonly empresa_id: number
  /** Size of its files; absent: unknown. */
  readonly bytes?: number
}

/** Discarded candidates with a picture, the oldest first. */
export const listDescartados = (db: Database, { empresaIds, limit }: Evictable): Promise<Victim[]> =>
  db
    .selectFrom('descartados')
    .select(['id', 'empresa_id'])
    .where('empresa_id', 'in', empresaIds)
    .where('caminho', 'is not', null)
    .orderBy('id')
    .limit(limit)
    .execute()

/** H.264 copies of clips, the oldest first. Also those of preserved events: a copy is made again on request. */
export const listCopies = (db: Database, { empresaIds, limit }: Evictable): Promise<Victim[]> =>
  db
    .selectFrom('clipes')
    .select((eb) => ['id', 'empresa_id', eb.ref('copia_tamanho').$notNull().as('bytes')])
    .where('empresa_id', 'in', empresaIds)
    .where('copia_sha256', 'is not', null)
    .orderBy('copia_em')
    .limit(limit)
    .execute()

const bytesOfClipe = (eb: ExpressionBuilder<Tables, 'clipes'>) =>
  eb('clipes.tamanho', '+', eb.fn.coalesce('clipes.copia_tamanho', eb.lit(0)))

/** Files of gravações that are no clip of an event, the oldest request first. */
export const listGravacoes = (db: Database, { empresaIds, limit }: Evictable): Promise<Victim[]> =>
  db
    .selectFrom('gravacoes')
    .innerJoin('clipes', 'clipes.id', 'gravacoes.clipe_id')
    .select((eb) => ['clipes.id', 'clipes.empresa_id', bytesOfClipe(eb).as('bytes')])
    .where('gravacoes.empresa_id', 'in', empresaIds)
    .where('clipes.estado', '=', 'guardado')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('clipes_eventos').select('evento_id').whereRef('clipe_id', '=', 'clipes.id'))),
    )
    .orderBy('gravacoes.id')
    .limit(limit)
    .execute()

/** Stored clips whose most severe event has this severity, without a preserved event, the oldest event first. */
export async function listClipes(
  db: Database,
  { empresaIds, now, limit }: Evictable,
  gravidade: Gravidade,
): Promise<Victim[]> {
  const above = gravidades.slice(gravidades.indexOf(gravidade) + 1)
  const rows = await db
    .selectFrom('eventos')
    .innerJoin('clipes_eventos', 'clipes_eventos.evento_id', 'eventos.id')
    .innerJoin('clipes', 'clipes.id', 'clipes_eventos.clipe_id')
    .select((eb) => ['clipes.id', 'clipes.empresa_id', bytesOfClipe(eb).as('bytes')])
    .where('eventos.empresa_id', 'in', empresaIds)
    .where('eventos.gravidade', '=', gravidade)
    .where('eventos.clipe_em', 'is not', null)
    .where('clipes.estado', '=', 'guardado')
    .where('clipes.id', 'not in', heldClipeIds(db, now))
    .$if(above.length > 0, (qb) =>
      qb.where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('clipes_eventos as other')
              .innerJoin('eventos as e', 'e.id', 'other.evento_id')
              .select('e.id')
              .whereRef('other.clipe_id', '=', 'clipes.id')
              .where('e.gravidade', 'in', above),
          ),
        ),
      ),
    )
    .orderBy('eventos.id')
    .limit(limit)
    .execute()
  return [...new Map(rows.map((row) => [row.id, row])).values()]
}

/** Clips that are not stored and have a strip, without a preserved event, the oldest first. */
export const listStrips = (db: Database, { empresaIds, now, limit }: Evictable): Promise<Victim[]> =>
  db
    .selectFrom('clipes')
    .select(['id', 'empresa_id'])
    .where('empresa_id', 'in', empresaIds)
    // The index has these conditions as literals.
    .where('estado', '<>', sql.lit('guardado'))
    .where('tira', 'is not', null)
    .where('id', 'not in', heldClipeIds(db, now))
    .orderBy('id')
    .limit(limit)
    .execute()

/** Events with a picture of their own that are not preserved, the oldest first. */
export const listEventos = (
  db: Database,
  { empresaIds, now, limit }: Evictable,
  gravidade: Gravidade,
): Promise<Victim[]> =>
  db
    .selectFrom('eventos')
    .select(['id', 'empresa_id'])
    .where('empresa_id', 'in', empresaIds)
    .where('gravidade', '=', gravidade)
    .where('crop_path', 'is not', null)
    // The index has these conditions as literals.
    .where('tipo', '<>', sql.lit('placa'))
    .where('id', 'not in', heldEventoIds(db, now))
    .orderBy('id')
    .limit(limit)
    .execute()

/** Passages with a picture, the oldest first. `comEvento`: those of an event that is not preserved. */
export const listPassagens = (
  db: Database,
  { empresaIds, now, limit }: Evictable,
  { comEvento }: { readonly comEvento: boolean },
): Promise<Victim[]> =>
  db
    .selectFrom('passagens')
    .select(['id', 'empresa_id'])
    .where('empresa_id', 'in', empresaIds)
    .where('foto_path', 'is not', null)
    .$if(!comEvento, (qb) => qb.where('evento_id', 'is', null))
    .$if(comEvento, (qb) => qb.where('evento_id', 'is not', null))
    .where('passagens.id', 'not in', heldPassagens(db, now))
    .orderBy('recebida_em')
    .limit(limit)
    .execute()

/**
 * Notes that the boxes of an Empresa wait.
 * @returns since when; null: they waited for the same reason already
 */
export async function markWaiting(
  tx: Database,
  empresaId: number,
  motivo: MotivoEspera,
  now: number,
): Promise<{ readonly isReportDue: boolean } | null> {
  await tx
    .insertInto('uso_midia')
    .values({ empresa_id: empresaId, bytes: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const changed = await tx
    .updateTable('uso_midia')
    .set({ espera_desde: now, espera_motivo: motivo })
    .where('empresa_id', '=', empresaId)
    .where((eb) => eb.or([eb('espera_motivo', 'is', null), eb('espera_motivo', '<>', motivo)]))
    .returning('avisada_em')
    .executeTakeFirst()
  if (!changed) return null
  const { avisada_em } = changed
  const isReportDue = avisada_em === null || now - avisada_em >= REPORT_AGAIN_MS || now < avisada_em
  if (isReportDue)
    await tx.updateTable('uso_midia').set({ avisada_em: now }).where('empresa_id', '=', empresaId).execute()
  return { isReportDue }
}

/** An Empresa at its limit waits and continues many times a day: one message is enough. */
const REPORT_AGAIN_MS = 86_400_000

export const markReady = async (db: Database, empresaId: number): Promise<void> => {
  await db
    .updateTable('uso_midia')
    .set({ espera_desde: null, espera_motivo: null })
    .where('empresa_id', '=', empresaId)
    .execute()
}
