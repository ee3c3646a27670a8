import type { Migration } from 'kysely/migration'

/** Adds the time since the last keyframe, which an edge reports before it can measure the interval. */
export const semQuadroChave: Migration = {
  async up(db) {
    await db.schema.alterTable('cameras').addColumn('sem_quadro_chave_ms', 'integer').execute()
  },
}
