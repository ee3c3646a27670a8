import { type Desejado, desejadoSchema } from '@vigia/contracts/edge-state'
import type { EdgeDb } from '../db/edge-db.ts'

export interface DesiredStore {
  load(): Desejado | null
  save(desejado: Desejado): void
}

/** The last applied configuration, so that an edge that starts without a connection can analyse. */
export function createDesiredStore(db: EdgeDb): DesiredStore {
  const select = db.prepare<[], { document: string }>('SELECT document FROM desired WHERE one = 1')
  const upsert = db.prepare(
    `INSERT INTO desired (one, version, document) VALUES (1, ?, ?)
     ON CONFLICT (one) DO UPDATE SET version = excluded.version, document = excluded.document`,
  )
  return {
    load() {
      const row = select.get()
      if (!row) return null
      // An earlier version of this program may have written the row. The next connection replaces unknown content.
      const parsed = desejadoSchema.safeParse(JSON.parse(row.document))
      return parsed.success ? parsed.data : null
    },
    save: (desejado) => {
      upsert.run(desejado.versao, JSON.stringify(desejado))
    },
  }
}
