import type { Migration } from 'kysely/migration'

/** Adds API keys and the second factor of logins. */
export const secondFactorAndKeys: Migration = {
  async up(db) {
    await db.schema
      .createTable('chaves')
      .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
      .addColumn('empresa_id', 'integer', (c) => c.notNull().references('empresas.id').onDelete('cascade'))
      .addColumn('nome', 'text', (c) => c.notNull())
      .addColumn('escopo', 'text', (c) => c.notNull())
      .addColumn('chave_hash', 'text', (c) => c.notNull().unique())
      .addColumn('inicio', 'text', (c) => c.notNull())
      .addColumn('validade', 'bigint')
      .addColumn('criada_em', 'bigint', (c) => c.notNull())
      .addColumn('usada_em', 'bigint')
      .addUniqueConstraint('chaves_empresa_nome', ['empresa_id', 'nome'])
      .execute()

    await db.schema.alterTable('usuarios').addColumn('segundo_fator_cifrado', 'text').execute()
    await db.schema
      .alterTable('usuarios')
      .addColumn('segundo_fator_ativo', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('usuarios').addColumn('segundo_fator_em', 'bigint').execute()
    await db.schema
      .alterTable('usuarios')
      .addColumn('segundo_fator_passo', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createTable('codigos_recuperacao')
      .addColumn('usuario_id', 'integer', (c) => c.notNull().references('usuarios.id').onDelete('cascade'))
      .addColumn('codigo_hash', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('codigos_recuperacao_pk', ['usuario_id', 'codigo_hash'])
      .execute()
    await db.schema.alterTable('empresas').addColumn('exigir_segundo_fator', 'integer').execute()
  },
}
