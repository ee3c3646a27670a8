import { type Desejado, desejadoSchema } from '@vigia/contracts/edge-state'
import type { EdgeDb } from '../db/edge-db.ts'

export interface DesiredStore {
  load(): Desejado | null
  save(desejado: Desejado): void
}

/** The configuration that was applied last, so that a box that starts without a connection knows what to watch. */
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
      // Written by an earlier version of this program, perhaps: what it does not understand comes again with the next connection.
      const parsed = desejadoSchema.safeParse(JSON.parse(row.document))
      return parsed.success ? parsed.data : null
    },
    save: (desejado) => {
      upsert.run(desejado.versao, JSON.stringify(desejado))
    },
  }
}
