import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the revocation list of the installation's CA, which every replica answers at `/pki/crl.pem`. */
export const listaDeRevogacao: Migration = {
  async up(db) {
    await db.schema
      .createTable('lista_revogacao')
      .addColumn('id', 'integer', (c) => c.primaryKey().notNull())
      // The signed list in PEM; null: none yet.
      .addColumn('pem', 'text')
      // SHA-256 of the CA's key and the revoked serial numbers, hex.
      .addColumn('resumo', 'text')
      .addColumn('criada_em', 'bigint')
      .execute()
    await sql`insert into lista_revogacao (id) values (1)`.execute(db)
  },
}
