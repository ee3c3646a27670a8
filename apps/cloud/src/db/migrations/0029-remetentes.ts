import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the settings of the senders that the operator enters on screen. */
export const remetentes: Migration = {
  async up(db) {
    await db.schema
      .createTable('remetentes')
      .addColumn('id', 'integer', (c) => c.primaryKey())
      .addColumn('tipo', 'text', (c) => c.notNull().unique())
      .addColumn('valores_json', 'text')
      .addColumn('segredo_cifrado', 'text')
      .execute()
    // One row per kind from the beginning: a change locks its row.
    await sql`insert into remetentes (id, tipo) values (1, 'email'), (2, 'whatsapp'), (3, 'telegram')`.execute(db)
  },
}
