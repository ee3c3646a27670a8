import type { Migration } from 'kysely/migration'
import { keepAuditoria } from './portable.ts'

/** Adds authorizations of agents (OAuth) and the audit log. */
export const agentsAndAudit: Migration = {
  async up(db) {
    await db.schema
      .createTable('clientes_oauth')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('client_id', 'text', (c) => c.notNull().unique())
      .addColumn('nome', 'text')
      .addColumn('redirect_uris_json', 'text', (c) => c.notNull())
      .addColumn('criado_em', 'bigint', (c) => c.notNull())
      .addColumn('usado_em', 'bigint')
      .execute()
    await db.schema
      .createTable('chaves_oauth')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('kid', 'text', (c) => c.notNull().unique())
      .addColumn('publica_json', 'text', (c) => c.notNull())
      .addColumn('privada_cifrada', 'text', (c) => c.notNull())
      .addColumn('criada_em', 'bigint', (c) => c.notNull())
      .addColumn('assina_desde', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('consentimentos_oauth')
      .addColumn('bilhete_hash', 'text', (c) => c.primaryKey())
      .addColumn('usuario_id', 'integer', (c) => c.notNull().references('usuarios.id').onDelete('cascade'))
      .addColumn('pedido_json', 'text', (c) => c.notNull())
      .addColumn('expira_em', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('autorizacoes_oauth')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('cliente_id', 'integer', (c) => c.notNull().references('clientes_oauth.id').onDelete('cascade'))
      .addColumn('usuario_id', 'integer', (c) => c.notNull().references('usuarios.id').onDelete('cascade'))
      .addColumn('escopo', 'text', (c) => c.notNull())
      .addColumn('recurso', 'text', (c) => c.notNull())
      .addColumn('criada_em', 'bigint', (c) => c.notNull())
      .addColumn('usada_em', 'bigint')
      .addColumn('expira_em', 'bigint', (c) => c.notNull())
      .addColumn('revogada_em', 'bigint')
      .execute()
    await db.schema.createIndex('autorizacoes_oauth_usuario').on('autorizacoes_oauth').column('usuario_id').execute()
    await db.schema.createIndex('autorizacoes_oauth_cliente').on('autorizacoes_oauth').column('cliente_id').execute()
    await db.schema
      .createTable('codigos_oauth')
      .addColumn('codigo_hash', 'text', (c) => c.primaryKey())
      .addColumn('autorizacao_id', 'integer', (c) =>
        c.notNull().references('autorizacoes_oauth.id').onDelete('cascade'),
      )
      .addColumn('redirect_uri', 'text', (c) => c.notNull())
      .addColumn('code_challenge', 'text', (c) => c.notNull())
      .addColumn('expira_em', 'bigint', (c) => c.notNull())
      .addColumn('usado_em', 'bigint')
      .execute()
    await db.schema.createIndex('codigos_oauth_autorizacao').on('codigos_oauth').column('autorizacao_id').execute()
    await db.schema
      .createTable('renovacoes_oauth')
      .addColumn('token_hash', 'text', (c) => c.primaryKey())
      .addColumn('autorizacao_id', 'integer', (c) =>
        c.notNull().references('autorizacoes_oauth.id').onDelete('cascade'),
      )
      .addColumn('criada_em', 'bigint', (c) => c.notNull())
      .addColumn('expira_em', 'bigint', (c) => c.notNull())
      .addColumn('usada_em', 'bigint')
      .execute()
    await db.schema
      .createIndex('renovacoes_oauth_autorizacao')
      .on('renovacoes_oauth')
      .column('autorizacao_id')
      .execute()
    await db.schema
      .createTable('acessos_oauth')
      .addColumn('jti', 'text', (c) => c.primaryKey())
      .addColumn('autorizacao_id', 'integer', (c) =>
        c.notNull().references('autorizacoes_oauth.id').onDelete('cascade'),
      )
      .addColumn('expira_em', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('acessos_oauth_autorizacao').on('acessos_oauth').column('autorizacao_id').execute()
    // Each new token deletes the expired ones: an active agent leaves 720 refresh tokens in 30 days.
    for (const table of ['renovacoes_oauth', 'acessos_oauth', 'codigos_oauth'])
      await db.schema.createIndex(`${table}_expira`).on(table).column('expira_em').execute()

    await db.schema
      .createTable('auditoria')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('em', 'bigint', (c) => c.notNull())
      // No foreign keys: the record outlives its object and its login.
      .addColumn('empresa_id', 'integer')
      .addColumn('usuario_id', 'integer')
      .addColumn('username', 'text')
      .addColumn('canal', 'text', (c) => c.notNull())
      .addColumn('cliente', 'text')
      .addColumn('endereco', 'text')
      .addColumn('pedido', 'text')
      .addColumn('acao', 'text', (c) => c.notNull())
      .addColumn('objeto', 'text', (c) => c.notNull())
      .addColumn('objeto_id', 'integer')
      .addColumn('objeto_nome', 'text')
      .addColumn('antes_json', 'text')
      .addColumn('depois_json', 'text')
      .execute()
    // Holds all filter columns, so that a page is counted without row reads.
    await db.schema
      .createIndex('auditoria_empresa')
      .on('auditoria')
      .columns(['empresa_id', 'id', 'em', 'canal', 'acao', 'objeto', 'objeto_id', 'usuario_id'])
      .execute()
    await db.schema.createIndex('auditoria_usuario').on('auditoria').columns(['usuario_id', 'id']).execute()
    await db.schema.createIndex('auditoria_objeto').on('auditoria').columns(['objeto', 'objeto_id', 'id']).execute()
    await keepAuditoria(db)
  },
}
