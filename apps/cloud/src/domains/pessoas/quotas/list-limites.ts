import {
  campoLimite,
  type LimitesEmpresa,
  porTipoLimite,
  type TipoLimite,
  type UsoBytes,
  type UsoLimite,
} from '@vigia/contracts/limites'
import type { Clock } from '../../../adapters/clock.ts'
import { listEmpresas, listWithAbove, subtreeIds } from '../../../db/empresas.ts'
import { listUso, type UsoRow } from '../../../db/media-use.ts'
import type { Database } from '../../../db/open.ts'
import { countEach } from '../../../db/quota-counts.ts'
import type { EmpresaRow } from '../../../db/rows.ts'
import type { Caller } from '../../../http/caller.ts'
import { narrowScope } from '../../../scope/narrow-scope.ts'

/**
 * Returns limits and use of the Empresas in scope, ordered by id. Reads the whole tree, because ancestors outside the
 * scope also limit the free numbers.
 * @throws VigiaError `nao_encontrado` (Empresa out of scope).
 */
export async function listLimites(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  caller: Caller,
  empresaId: number | undefined,
): Promise<LimitesEmpresa[]> {
  const scope = await narrowScope(db, caller, empresaId)
  const ids = scope && (await wholeTrees(db, scope))
  const rows = await listEmpresas(db, ids)
  const now = clock.now()
  const usos = await Promise.all(
    Object.values(
      porTipoLimite(async (tipo) => [tipo, usesOf(rows, tipo, await countEach(db, ids, tipo, now))] as const),
    ),
  )
  const of = Object.fromEntries(usos) as Record<TipoLimite, Map<number, UsoLimite>>
  const bytes = bytesOf(rows, await listUso(db))
  const shown = scope && new Set(scope)
  return rows
    .filter(({ id }) => shown === null || shown.has(id))
    .map(({ id, nome, empresa_pai_id }) => ({
      empresa_id: id,
      nome,
      empresa_pai_id,
      limites: porTipoLimite((tipo) => of[tipo].get(id) ?? { limite: 0, uso: 0, livres: 0 }),
      bytes: bytes.get(id) ?? { limite: null, uso: 0, livres: null, espera: null },
    }))
}

/** The ids of the trees of these Empresas; a list may have Empresas of several trees. */
async function wholeTrees(db: Database, scope: readonly number[]): Promise<number[]> {
  const roots = (await listWithAbove(db, scope)).filter(({ empresa_pai_id }) => empresa_pai_id === null)
  const trees = await Promise.all(roots.map(({ id }) => subtreeIds(db, id)))
  return trees.flatMap((tree) => [...tree])
}

/** @param rows ordered by id: a parent precedes its children. @param own objects of each Empresa itself */
function usesOf(
  rows: readonly EmpresaRow[],
  tipo: TipoLimite,
  own: ReadonlyMap<number, number>,
): Map<number, UsoLimite> {
  const counts = new Map(rows.map(({ id }) => [id, own.get(id) ?? 0]))
  for (const { id, empresa_pai_id } of rows.toReversed())
    if (empresa_pai_id !== null) counts.set(empresa_pai_id, (counts.get(empresa_pai_id) ?? 0) + (counts.get(id) ?? 0))
  const uses = new Map<number, UsoLimite>()
  for (const row of rows) {
    const parent = row.empresa_pai_id === null ? undefined : uses.get(row.empresa_pai_id)
    const uso = counts.get(row.id) ?? 0
    const set = row[campoLimite(tipo)]
    const limite = Math.min(set, parent?.limite ?? set)
    const livres = Math.max(0, Math.min(set - uso, parent?.livres ?? set))
    uses.set(row.id, { limite, uso, livres })
  }
  return uses
}

/** @param rows ordered by id: a parent precedes its children */
function bytesOf(rows: readonly EmpresaRow[], used: ReadonlyMap<number, UsoRow>): Map<number, UsoBytes> {
  const uses = new Map<number, UsoBytes>()
  for (const { id, empresa_pai_id, limite_bytes } of rows) {
    const parent = empresa_pai_id === null ? undefined : uses.get(empresa_pai_id)
    const row = used.get(id)
    const uso = row?.bytes ?? 0
    const own = limite_bytes === null ? null : Math.max(0, limite_bytes - uso)
    uses.set(id, {
      limite: least(limite_bytes, parent?.limite ?? null),
      uso,
      livres: least(own, parent?.livres ?? null),
      espera: row?.espera ?? null,
    })
  }
  return uses
}

/** null: no limit. */
const least = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : Math.min(a, b))
