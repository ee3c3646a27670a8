import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Lifetime of a token, and the time during which a session may renew it, of the release that this migration is in. */
const TOKEN_MS = 3_600_000
const RENEWAL_MS = 12 * 3_600_000

/**
 * Splits sessions from their tokens, so that a session can be renewed and ends with all its tokens. Adds kiosks. A
 * session of the previous release keeps its token and its end, and may be renewed.
 */
export const sessionChains: Migration = {
  async up(db) {
    await db.schema
      .createTable('quiosques')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('empresa_id', 'integer', (c) => c.notNull().references('empresas.id').onDelete('cascade'))
      .addColumn('nome', 'text', (c) => c.notNull())
      .addColumn('papel', 'text', (c) => c.notNull())
      .addColumn('criado_por', 'text', (c) => c.notNull())
      .addColumn('criado_em', 'bigint', (c) => c.notNull())
      .addColumn('expira_em', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('quiosques_empresa_nome', ['empresa_id', 'nome'])
      .execute()

    await db.schema.alterTable('sessoes').renameTo('sessoes_anteriores').execute()
    await db.schema
      .createTable('sessoes')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('usuario_id', 'integer', (c) => c.references('usuarios.id').onDelete('cascade'))
      .addColumn('quiosque_id', 'integer', (c) => c.references('quiosques.id').onDelete('cascade'))
      .addColumn('host', 'text')
      .addColumn('iniciada_em', 'bigint', (c) => c.notNull())
      .addColumn('renova_ate', 'bigint', (c) => c.notNull())
      .addColumn('expira_em', 'bigint', (c) => c.notNull())
      .addColumn('visto_em', 'bigint', (c) => c.notNull())
      .addColumn('agente', 'text')
      .addColumn('endereco', 'text')
      .addCheckConstraint('sessoes_dono', sql`(usuario_id is null) <> (quiosque_id is null)`)
      .execute()
    await db.schema
      .createTable('tokens_sessao')
      .addColumn('token_hash', 'text', (c) => c.primaryKey().notNull())
      .addColumn('sessao_id', 'integer', (c) => c.notNull().references('sessoes.id').onDelete('cascade'))
      .addColumn('expira_em', 'bigint', (c) => c.notNull())
      .execute()
    await sql`
      insert into sessoes (id, usuario_id, host, iniciada_em, renova_ate, expira_em, visto_em)
      select row_number() over (order by token_hash), usuario_id, host, expira_em - ${sql.lit(TOKEN_MS)},
        expira_em + ${sql.lit(RENEWAL_MS - TOKEN_MS)}, expira_em, expira_em - ${sql.lit(TOKEN_MS)}
      from sessoes_anteriores`.execute(db)
    await sql`
      insert into tokens_sessao (token_hash, sessao_id, expira_em)
      select token_hash, row_number() over (order by token_hash), expira_em from sessoes_anteriores`.execute(db)
    await db.schema.dropTable('sessoes_anteriores').execute()

    await db.schema.createIndex('sessoes_expira').on('sessoes').column('expira_em').execute()
    await db.schema.createIndex('sessoes_usuario').on('sessoes').column('usuario_id').execute()
    await db.schema.createIndex('sessoes_quiosque').on('sessoes').column('quiosque_id').execute()
    await db.schema.createIndex('tokens_sessao_sessao').on('tokens_sessao').column('sessao_id').execute()
  },
}
