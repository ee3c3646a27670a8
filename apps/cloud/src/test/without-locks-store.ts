import {
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  sql,
  type UnknownRow,
} from 'kysely'
import type { Database } from '../db/open.ts'

/** Removes the row locks and named locks of `db/locks.ts` from statements on PostgreSQL, to show what they prevent. */
class WithoutLocks implements KyselyPlugin {
  removed = 0

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    if (node.kind === 'SelectQueryNode' && node.endModifiers?.some(({ modifier }) => modifier === 'ForNoKeyUpdate')) {
      this.removed += 1
      return { ...node, endModifiers: node.endModifiers.filter(({ modifier }) => modifier !== 'ForNoKeyUpdate') }
    }
    if (node.kind === 'RawNode' && node.sqlFragments[0]?.includes('pg_advisory_xact_lock')) {
      this.removed += 1
      return sql`select 1`.toOperationNode() as RootOperationNode
    }
    return node
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result
  }
}

/** The same database without locks; `removed` counts the statements that lost one. */
export function withoutLocks(db: Database): { readonly db: Database; readonly removed: () => number } {
  const plugin = new WithoutLocks()
  return { db: db.withPlugin(plugin), removed: () => plugin.removed }
}
