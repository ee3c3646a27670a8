import type { Migration } from 'kysely/migration'

/** Adds to whom an alert was shown or pushed, and how a walk test ended. */
export const provaAteAlguem: Migration = {
  async up(db) {
    await db.schema.alterTable('alertas').addColumn('sessao_id', 'integer').execute()
    await db.schema.alterTable('alertas').addColumn('outra_sessao_id', 'integer').execute()
    await db.schema.alterTable('envios_push').addColumn('aceito_em', 'bigint').execute()
    await db.schema.alterTable('provas').addColumn('desfecho', 'text').execute()
    await db.schema.alterTable('provas').addColumn('passo_falho', 'text').execute()
  },
}
