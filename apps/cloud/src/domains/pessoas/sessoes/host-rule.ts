import { VigiaError } from '@vigia/contracts/errors'
import { findEmpresaByHost, subtreeIds } from '../../../db/empresas.ts'
import type { Database } from '../../../db/open.ts'

/** Logins that may sign in: all, or those of these Empresas. */
export type LoginsOfHost = 'todos' | ReadonlySet<number>

/**
 * Logins that may sign in on `host` (decisions, Neutral domain): all on the neutral domain, those of the subtree on an
 * Empresa's own host.
 * @param dominioNeutro null: all hosts are equal
 * @throws VigiaError `proibido` on any other host
 */
export async function loginsOn(db: Database, dominioNeutro: string | null, host: string): Promise<LoginsOfHost> {
  if (dominioNeutro === null || host === dominioNeutro) return 'todos'
  const empresa = await findEmpresaByHost(db, host)
  if (!empresa) throw new VigiaError('proibido', { detalhe: `Não se entra por este endereço. Use ${dominioNeutro}.` })
  return subtreeIds(db, empresa.id)
}
