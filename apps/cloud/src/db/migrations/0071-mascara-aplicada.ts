import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds when the masks of a camera were drawn, and when its edge first applied them. Masks that an edge has not
 * confirmed count as drawn at the last change of their camera.
 */
export const mascaraAplicada: Migration = {
  async up(db) {
    await db.schema.alterTable('cameras').addColumn('mascara_desde', 'bigint').execute()
    await db.schema.alterTable('cameras').addColumn('mascara_aplicada_em', 'bigint').execute()
    await sql`update cameras set mascara_desde = atualizada_em
      where mascaras_json <> '[]' and coalesce(relato_mascarada, 0) = 0`.execute(db)
  },
}
