import { waitFor } from '@vigia/testing/wait'
import type { Backstage } from '../clouds/backstage.ts'

/**
 * Resolves when no work of accepted requests is due. Work may change any table. All background work of a request is in
 * the work queue.
 */
export async function untilQuiet({ db }: Backstage): Promise<void> {
  const isQuiet = async () => {
    const due = await db
      .selectFrom('trabalhos')
      .select('id')
      .where(({ eb, or }) => or([eb('estado', 'in', ['pronto', 'em_curso']), eb('em', '<=', Date.now())]))
      .executeTakeFirst()
    return due === undefined
  }
  await waitFor('the end of all due work', isQuiet, { everyMs: 10 })
}

/** The items of work, with the state of their attempts. */
export async function listWork({ db }: Backstage): Promise<string[]> {
  const rows = await db.selectFrom('trabalhos').select(['id', 'estado', 'posse', 'tentativas']).execute()
  return rows.map((row) => JSON.stringify(row))
}

/** Whether an attempt at an item of the first list began or ended before the second list. */
export const workRan = (before: readonly string[], after: readonly string[]): boolean =>
  before.some((item) => !after.includes(item))
