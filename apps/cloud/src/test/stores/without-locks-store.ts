import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import {
  AndNode,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  PrimitiveValueListNode,
  type QueryId,
  type QueryResult,
  RawNode,
  type RootOperationNode,
  sql,
  TableNode,
  type UnknownRow,
  type UpdateQueryNode,
  ValuesNode,
} from 'kysely'
import type { Database } from '../../db/open.ts'

const nothing = () => sql`select 1`.toOperationNode() as RootOperationNode
const LOCKS = new Set(['ForNoKeyUpdate', 'ForUpdate', 'SkipLocked'])

/**
 * Removes the locks of the cloud from statements on PostgreSQL, to show what they prevent. These are row locks, named
 * locks, and the row of a lane in the work queue.
 */
class WithoutLocks implements KyselyPlugin {
  removed = 0

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    const changed = this.without(node)
    if (changed !== node) this.removed += 1
    return changed
  }

  protected without(node: RootOperationNode): RootOperationNode {
    if (node.kind === 'SelectQueryNode') {
      const kept = node.endModifiers?.filter(({ modifier }) => modifier === undefined || !LOCKS.has(modifier))
      return kept?.length === node.endModifiers?.length ? node : { ...node, endModifiers: kept ?? [] }
    }
    if (node.kind === 'RawNode' && node.sqlFragments[0]?.includes('pg_advisory_xact_lock')) return nothing()
    if (node.kind === 'InsertQueryNode' && node.into?.table.identifier.name === 'faixas_trabalho')
      // A lane of its own in each statement.
      return { ...node, values: ValuesNode.create([PrimitiveValueListNode.create([randomUUID()])]) }
    return node
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result
  }
}

/** Also removes the conditions that decide between two writers: of a claim, and of a secret sealed anew. */
class WithoutConditions extends WithoutLocks {
  protected override without(node: RootOperationNode): RootOperationNode {
    if (node.kind === 'UpdateQueryNode') return withoutReady(node)
    if (node.kind === 'RawNode' && node.sqlFragments.slice(3, 5).join('') === ' where id =  and ') {
      const fragments = [...node.sqlFragments.slice(0, 4), ' returning id']
      return RawNode.create(fragments, node.parameters.slice(0, 4)) as RootOperationNode
    }
    return super.without(node)
  }
}

/** Claims set the time of their lease where the item is `pronto`: its last condition. */
function withoutReady(node: UpdateQueryNode): RootOperationNode {
  const where = node.where?.where
  const { table } = node
  const isItem = table && TableNode.is(table) && table.table.identifier.name === 'trabalhos'
  return isItem && where && AndNode.is(where)
    ? ({ ...node, where: { ...node.where, where: where.left } } as RootOperationNode)
    : node
}

export interface Stripped {
  readonly db: Database
  /** Number of changed statements. */
  readonly removed: () => number
}

function strip(db: Database, plugin: WithoutLocks): Stripped {
  return { db: db.withPlugin(plugin), removed: () => plugin.removed }
}

/** The same database without locks. */
export const withoutLocks = (db: Database): Stripped => strip(db, new WithoutLocks())

/** The same database without locks and without conditional updates. */
export const withoutConditions = (db: Database): Stripped => strip(db, new WithoutConditions())

/** Waits up to PAUSE_MS after each insertion into a table, so that its transaction commits later. */
class Pauses implements KyselyPlugin {
  readonly #slow = new WeakSet<QueryId>()
  readonly #table: string

  constructor(table: string) {
    this.#table = table
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    if (node.kind === 'InsertQueryNode' && node.into?.table.identifier.name === this.#table) this.#slow.add(queryId)
    return node
  }

  async transformResult({ result, queryId }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    if (this.#slow.has(queryId)) await setTimeout(randomInt(PAUSE_MS))
    return result
  }
}

const PAUSE_MS = 60

/** The same database with a pause after each insertion into `table`. */
export const pausing = (db: Database, table: string): Database => db.withPlugin(new Pauses(table))
