import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { isPostgres } from '../postgres-dialect.ts'

interface CameraPlates {
  readonly id: number
  readonly eventos_habilitados_json: string
  readonly modo_b_config_json: string | null
  readonly agenda_json: string
}

/**
 * Makes the IA `placa` of each camera follow `ativo` of its plates, because only `ativo` was ever sent to an edge. Its
 * hours go, because plates were read at any hour.
 */
export const placasUmEstado: Migration = {
  async up(db: Kysely<unknown>) {
    const { rows } = await sql<CameraPlates>`
      select id, eventos_habilitados_json, modo_b_config_json, agenda_json from cameras
      where modo_b_config_json is not null or eventos_habilitados_json like '%"placa"%' or agenda_json like '%"placa"%'
      ${isPostgres(db) ? sql`for no key update` : sql``}
    `.execute(db)
    for (const { id, eventos_habilitados_json, modo_b_config_json, agenda_json } of rows) {
      const ias = JSON.parse(eventos_habilitados_json) as string[]
      const ativo = (JSON.parse(modo_b_config_json ?? 'null') as { ativo?: boolean } | null)?.ativo === true
      const others = ias.filter((nome) => nome !== 'placa')
      const after = ias.includes('placa') === ativo ? ias : ativo ? [...ias, 'placa'] : others
      const { placa: _unread, ...agenda } = JSON.parse(agenda_json) as Record<string, unknown>
      await sql`update cameras set eventos_habilitados_json = ${JSON.stringify(after)},
        agenda_json = ${JSON.stringify(agenda)} where id = ${id}`.execute(db)
    }
  },
}
