import { rootOf } from '../../../db/empresas.ts'
import type { Database } from '../../../db/open.ts'
import { isPostgres } from '../../../db/postgres-dialect.ts'
import type { IdAccount } from './id-budget.ts'

/**
 * Locks the counter of event ids until the transaction ends and returns the highest id given or reserved. The lock
 * serializes ingest transactions, so that events become visible in the order of their ids.
 */
export async function lockCounter(tx: Database): Promise<number> {
  const counter = isPostgres(tx)
    ? tx.selectFrom('contador_eventos').select('ultimo').forNoKeyUpdate()
    : tx
        .updateTable('contador_eventos')
        .set((eb) => ({ ultimo: eb.ref('ultimo') }))
        .returning('ultimo')
  return Number((await counter.executeTakeFirstOrThrow()).ultimo)
}

/** Takes the next `n` event ids and returns the first. */
export async function takeIds(tx: Database, n: number): Promise<number> {
  const { ultimo } = await tx
    .updateTable('contador_eventos')
    .set((eb) => ({ ultimo: eb('ultimo', '+', n) }))
    .returning('ultimo')
    .executeTakeFirstOrThrow()
  return Number(ultimo) - n + 1
}

/**
 * Reads the accounts for events of these Empresas from this edge: the edge and the root of each Empresa's tree.
 * Empresas below a root therefore add no budget. The lock of the counter also protects the accounts.
 */
export async function readAccounts(
  tx: Database,
  edgeId: number,
  empresaIds: Iterable<number>,
): Promise<(empresaId: number) => readonly IdAccount[]> {
  const account = async (dono: IdAccount['dono'], donoId: number): Promise<IdAccount> => {
    const row = await tx
      .selectFrom('reservas_de_ids')
      .select('livre_em')
      .where('dono', '=', dono)
      .where('dono_id', '=', donoId)
      .executeTakeFirst()
    return { dono, donoId, livreEm: Number(row?.livre_em ?? 0) }
  }
  const edge = await account('edge', edgeId)
  const roots = new Map<number, IdAccount>()
  const accounts = new Map<number, readonly IdAccount[]>()
  for (const empresaId of empresaIds) {
    const rootId = await rootOf(tx, empresaId)
    const root = roots.get(rootId) ?? (await account('empresa', rootId))
    roots.set(rootId, root)
    accounts.set(empresaId, [edge, root])
  }
  return (empresaId) => accounts.get(empresaId) ?? [edge]
}

export async function saveAccounts(tx: Database, accounts: readonly IdAccount[]): Promise<void> {
  if (accounts.length === 0) return
  await tx
    .insertInto('reservas_de_ids')
    .values(accounts.map(({ dono, donoId, livreEm }) => ({ dono, dono_id: donoId, livre_em: livreEm })))
    .onConflict((conflict) =>
      conflict.columns(['dono', 'dono_id']).doUpdateSet((eb) => ({ livre_em: eb.ref('excluded.livre_em') })),
    )
    .execute()
}
