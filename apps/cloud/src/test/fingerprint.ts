import { createHash } from 'node:crypto'
import type { Backstage } from './backstage.ts'

/**
 * Tables whose rows are no part of what a client stores: a request may count, open a session, or be the first that needs
 * the keys of agents' tokens, and still be refused.
 */
const incidental = ['sessoes', 'chaves_oauth']

/** One hash of every row of every table; equal before and after: nothing was stored. */
export async function fingerprint({ db }: Backstage): Promise<string> {
  const hash = createHash('sha256')
  for (const { name } of await db.introspection.getTables()) {
    if (incidental.includes(name)) continue
    const rows = await db
      .selectFrom(name as 'empresas')
      .selectAll()
      .execute()
    hash.update(`${name} ${JSON.stringify(rows)}\n`)
  }
  return hash.digest('hex')
}
