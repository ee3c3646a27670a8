import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the end of a stay by hand. The index serves the pairing of recent entries and exits. */
export const presenca: Migration = {
  async up(db) {
    await db.schema.alterTable('passagens').addColumn('encerrada_em', 'bigint').execute()
    await db.schema.alterTable('passagens').addColumn('encerrada_por', 'text').execute()
    await db.schema
      .createIndex('passagens_empresa_movimentos')
      .on('passagens')
      .columns(['empresa_id', 'ocorrido_em'])
      .where(sql.ref('sentido'), 'is not', null)
      .where(sql.ref('placa'), 'is not', null)
      .execute()
  },
}
