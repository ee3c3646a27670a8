import { createHash } from 'node:crypto'
import type { Database } from '../../db/open.ts'
import type { Backstage } from '../clouds/backstage.ts'

/**
 * Tables that may change at a refused request: sessions, and the keys of tokens of agents, made at their first use. The
 * end of a presence is written some time after its request. The program writes its own contact each 10 s. Work of
 * earlier requests continues in the background: its attempts change the shares of the queue. On PostgreSQL the program
 * renews its leases each 3 s. A sweep notes its rules, and the time of ages runs,
 * at their own time.
 */
const incidental = [
  'sessoes',
  'tokens_sessao',
  'chaves_oauth',
  'presencas',
  'contato_central',
  'turnos_trabalho',
  'replicas',
  'posses',
  'regras_varridas',
  'relogio',
  'carimbos_duvidosos',
  // SQLite keeps them in a file of their own.
  'limites_de_uso',
]

/** Names of the tables: PostgreSQL takes longer to list them than to read their rows. */
const tables = new WeakMap<Database, Promise<string[]>>()

function tablesOf(db: Database): Promise<string[]> {
  const known = tables.get(db) ?? db.introspection.getTables().then((all) => all.map(({ name }) => name))
  tables.set(db, known)
  return known
}

/** A hash of the rows of each other table, one per line; equal texts before and after show that nothing was stored. */
export async function fingerprint({ db }: Backstage): Promise<string> {
  const lines: string[] = []
  for (const name of await tablesOf(db)) {
    if (incidental.includes(name)) continue
    const rows = await db
      .selectFrom(name as 'autorizacoes_oauth')
      .selectAll()
      .execute()
    // The time of the last use of an agent is written once a minute.
    if (name === 'autorizacoes_oauth') for (const row of rows) row.usada_em = null
    // A publication that an earlier request asked for is done by a replica some time later.
    if (name === 'publicacoes') for (const row of rows) Object.assign(row, { feita: 0 })
    // A replica takes a new edge some time after its activation.
    if (name === 'edges') for (const row of rows) Object.assign(row, { dono: null, dono_epoca: 0 })
    // Retries change the other columns of the work queue.
    const columns = name === 'trabalhos' ? ['tipo', 'chave'] : null
    // PostgreSQL returns rows in any order.
    const texts = rows.map((row) => JSON.stringify(row, columns)).sort()
    lines.push(`${name} ${createHash('sha256').update(texts.join()).digest('hex')}`)
  }
  return lines.join('\n')
}

/** Names of the tables whose rows differ between two fingerprints. */
export function changedTables(before: string, after: string): string[] {
  const former = new Set(before.split('\n'))
  return after.split('\n').flatMap((line) => (former.has(line) ? [] : (line.split(' ')[0] ?? [])))
}
