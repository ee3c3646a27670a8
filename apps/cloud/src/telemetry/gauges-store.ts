import type { Database } from '../db/open.ts'

/** Number and age of the work items, by kind and state. */
export const countWork = (db: Database) =>
  db
    .selectFrom('trabalhos')
    .select(({ fn }) => [
      ...(['tipo', 'estado'] as const),
      fn.countAll<number>().as('itens'),
      // A timer that was never tried waits for its own time and is not late.
      fn
        .min<number | null>('criado_em')
        .filterWhere((eb) => eb.or([eb('estado', '<>', 'recuo'), eb('tentativas', '>', 0)]))
        .as('desde'),
    ])
    .groupBy(['tipo', 'estado'])
    .execute()

/** Columns of every edge that its status depends on. */
export const listEdgeStates = (db: Database) =>
  db.selectFrom('edges').select(['ativado_em', 'presente', 'visto_em']).execute()
