import type { Migration } from 'kysely/migration'

/** Adds the earliest and the latest time of records whose edge never knew the time. */
export const horaIncerta: Migration = {
  async up(db) {
    for (const table of ['eventos', 'passagens', 'incidentes'])
      for (const column of ['hora_de', 'hora_ate'])
        await db.schema.alterTable(table).addColumn(column, 'bigint').execute()
  },
}
