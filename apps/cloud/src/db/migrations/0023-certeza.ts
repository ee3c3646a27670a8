import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The queries have the same text (verdict-class.ts), because an index serves only this exact expression. */
const CLASSE = sql`cast(coalesce(veredito_decisao || coalesce('-' || veredito_certeza, ''), 'pendente') as text)`

/**
 * Adds the certeza of a verdict and of an incidente, and to the class in the event indexes of migration 0003. Stored
 * verdicts have none, so that the counts remain true.
 */
export const certeza: Migration = {
  async up(db) {
    await db.schema.alterTable('eventos').addColumn('veredito_certeza', 'text').execute()
    await db.schema.alterTable('incidentes').addColumn('certeza', 'text').execute()
    const classe = ['tipo', 'gravidade', CLASSE]
    const indexes = {
      camera: ['camera_id', 'empresa_id', ...classe, 'id', 'ocorrido_em'],
      empresa_classe: ['empresa_id', ...classe, 'id', 'ocorrido_em'],
      classe: [...classe, 'id', 'ocorrido_em'],
      periodo: ['ocorrido_em', 'empresa_id', 'camera_id', ...classe],
    }
    for (const [name, parts] of Object.entries(indexes)) {
      await db.schema.dropIndex(`eventos_${name}`).execute()
      const columns = sql.join(parts.map((part) => (typeof part === 'string' ? sql.ref(part) : part)))
      await sql`create index ${sql.ref(`eventos_${name}`)} on eventos (${columns})`.execute(db)
    }
  },
}
