import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds the running replicas of the cloud, their leases, the owner of each edge, and secrets of the installation that
 * replicas share. With SQLite, whose cloud is one process, the tables stay empty.
 */
export const replicas: Migration = {
  async up(db) {
    await db.schema
      .createTable('replicas')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      // Where other replicas reach it; null: it takes no requests of them.
      .addColumn('url', 'text')
      .addColumn('ate', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('posses')
      .addColumn('nome', 'text', (c) => c.primaryKey().notNull())
      .addColumn('replica', 'text', (c) => c.notNull())
      .addColumn('ate', 'bigint', (c) => c.notNull())
      .addColumn('epoca', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.alterTable('edges').addColumn('dono', 'text').execute()
    await db.schema
      .alterTable('edges')
      .addColumn('dono_epoca', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createTable('segredos_instalacao')
      .addColumn('id', 'integer', (c) => c.primaryKey().notNull())
      .addColumn('cifrado', 'text', (c) => c.notNull())
      .execute()
    // Live pictures that viewers of a replica want of an edge.
    await db.schema
      .createTable('vistas')
      .addColumn('edge_id', 'integer', (c) => c.notNull().references('edges.id').onDelete('cascade'))
      .addColumn('tipo', 'text', (c) => c.notNull())
      .addColumn('replica', 'text', (c) => c.notNull())
      .addColumn('desejo_json', 'text', (c) => c.notNull())
      .addColumn('ate', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('vistas_pk', ['edge_id', 'tipo', 'replica'])
      .execute()
    // Changes of the certificates in force, and the newest change that the broker has.
    await db.schema
      .createTable('publicacoes')
      .addColumn('nome', 'text', (c) => c.primaryKey().notNull())
      .addColumn('pedida', 'bigint', (c) => c.notNull())
      .addColumn('feita', 'bigint', (c) => c.notNull())
      .execute()
    await sql`insert into publicacoes (nome, pedida, feita) values ('certificados', 0, 0)`.execute(db)
  },
}
