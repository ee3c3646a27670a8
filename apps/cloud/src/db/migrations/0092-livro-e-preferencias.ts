import type { Migration } from 'kysely/migration'

/** Adds what a login keeps for its screens, the hand-overs of shifts, and an index for the answers of a period. */
export const livroEPreferencias: Migration = {
  async up(db) {
    await db.schema
      .createTable('preferencias')
      .addColumn('usuario_id', 'integer', (c) => c.primaryKey().references('usuarios.id').onDelete('cascade'))
      .addColumn('frases_json', 'text', (c) => c.notNull().defaultTo('[]'))
      .addColumn('mosaicos_json', 'text', (c) => c.notNull().defaultTo('[]'))
      .execute()
    await db.schema
      .createTable('passagens_de_turno')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('empresa_id', 'integer', (c) => c.notNull().references('empresas.id').onDelete('cascade'))
      .addColumn('autor', 'text', (c) => c.notNull())
      .addColumn('texto', 'text', (c) => c.notNull())
      .addColumn('em', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createIndex('passagens_de_turno_empresa')
      .on('passagens_de_turno')
      .columns(['empresa_id', 'em'])
      .execute()
    await db.schema.createIndex('atendimentos_em').on('atendimentos').columns(['atendido_em', 'id']).execute()
  },
}
