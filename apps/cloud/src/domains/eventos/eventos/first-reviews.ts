import type { Decisao } from '@vigia/contracts/eventos'
import { refreshAjuste } from '../../../db/ajustes.ts'
import { pathsOf } from '../../../db/midias-a-apagar.ts'
import type { Database } from '../../../db/open.ts'
import type { EventoRow } from '../../../db/rows.ts'
import { transact } from '../../../db/transaction.ts'
import type { Caller } from '../../../http/caller.ts'
import { discardFiles } from './discard-files.ts'
import type { ReviewDeps } from './review-evento.ts'
import { writeReview } from './review-store.ts'
import { stageFiles } from './stage-files.ts'

/** Events whose files are written at the same time. */
const AT_ONCE = 8

interface Reviews {
  /** Events of one camera and one tipo. */
  readonly rows: readonly EventoRow[]
  readonly rotulo: Decisao
  readonly revisor: string
  readonly autor: Caller
}

/**
 * Runs `run` in a transaction that can also review events. `save` reviews those that have no review then, and returns
 * their number. The caller locks their incidente before `save`, and counts the reviews there.
 * @param reviews null: there is nothing to review
 */
export async function withFirstReviews<T>(
  deps: ReviewDeps,
  reviews: Reviews | null,
  run: (tx: Database, save: () => Promise<number>) => Promise<T>,
): Promise<T> {
  if (reviews === null) return transact(deps.db, (tx) => run(tx, async () => 0))
  const review = { ...reviews, now: deps.clock.now() }
  const staged: { readonly row: EventoRow; readonly files: Awaited<ReturnType<typeof stageFiles>> }[] = []
  const saved = new Set<number>()
  try {
    for (let i = 0; i < reviews.rows.length; i += AT_ONCE) {
      const some = reviews.rows.slice(i, i + AT_ONCE)
      await Promise.all(some.map(async (row) => staged.push({ row, files: await stageFiles(deps, row, review) })))
    }
    return await transact(deps.db, (tx) =>
      run(tx, async () => {
        for (const { row, files } of staged.toSorted((a, b) => a.row.id - b.row.id))
          if (await writeReview(tx, row, { ...review, ...files }, 'primeira')) saved.add(row.id)
        const [first] = staged
        if (first && saved.size > 0) await refreshAjuste(tx, first.row.camera_id, first.row.tipo, review.now)
        return saved.size
      }),
    )
  } catch (error) {
    saved.clear()
    throw error
  } finally {
    for (const { row, files } of staged)
      await discardFiles(deps, saved.has(row.id) ? files.antigos : pathsOf(files.novos))
  }
}
