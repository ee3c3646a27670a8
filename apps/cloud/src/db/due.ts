import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from './open.ts'

/** Times that a clock set back has stamped; epoch ms. */
export interface DoubtfulStamps {
  readonly de: number
  readonly ate: number
  /** Time of ages at the last of these stamps: no record with one of them is older. */
  readonly hora: number
}

declare const guarded: unique symbol

/** Which records an age ends. Only the guard makes it (db/hold-back/hold-back.ts). */
export interface Due {
  readonly [guarded]: true
  /** Epoch ms, exclusive. */
  readonly before: number
  readonly doubtful: readonly DoubtfulStamps[]
}

/** Only for the guard. */
export const dueBefore = (before: number, doubtful: readonly DoubtfulStamps[]): Due =>
  ({ before, doubtful: doubtful.filter(({ de }) => de < before) }) as unknown as Due

/** Condition: the record is old by the stamp in this column. */
export function isDue(column: string, { before, doubtful }: Due): RawBuilder<SqlBool> {
  const stamp = sql.ref(column)
  const young = doubtful.filter(({ hora }) => hora >= before)
  const not = young.map(({ de, ate }) => sql`not (${stamp} between ${de} and ${ate})`)
  return sql<SqlBool>`(${sql.join([sql`${stamp} < ${before}`, ...not], sql` and `)})`
}

/** The same for a stamp that was read. */
export const isStampDue = (stamp: number, { before, doubtful }: Due): boolean =>
  stamp < before && !doubtful.some(({ de, ate, hora }) => hora >= before && de <= stamp && stamp <= ate)

/** The stamp in this column, or the latest time at which a clock set back may have stamped it. */
export function surelyAfter(column: string, doubtful: readonly DoubtfulStamps[]): RawBuilder<number> {
  const stamp = sql.ref<number>(column)
  if (doubtful.length === 0) return sql`${stamp}`
  const cases = doubtful.map(({ de, ate, hora }) => sql`when ${stamp} between ${de} and ${ate} then ${hora}`)
  return sql`case ${sql.join(cases, sql` `)} else ${stamp} end`
}

export const listDoubtfulStamps = (db: Database): Promise<DoubtfulStamps[]> =>
  db.selectFrom('carimbos_duvidosos').selectAll().orderBy('de').execute()
