import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds the login that made a quiosque, whose right the quiosque needs. A quiosque whose maker no longer exists ends. A
 * quiosque that is older than the login of that name had another maker.
 */
export const donoDoQuiosque: Migration = {
  async up(db) {
    await db.schema
      .alterTable('quiosques')
      .addColumn('usuario_id', 'integer', (c) => c.references('usuarios.id').onDelete('cascade'))
      .execute()
    await sql`update quiosques set usuario_id = (select u.id from usuarios u
      where u.username = quiosques.criado_por and u.criado_em <= quiosques.criado_em)`.execute(db)
    await db.deleteFrom('quiosques').where('usuario_id', 'is', null).execute()
    await db.schema.createIndex('quiosques_por_dono').on('quiosques').column('usuario_id').execute()
  },
}
