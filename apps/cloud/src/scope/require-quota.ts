import { VigiaError } from '@vigia/contracts/errors'
import { campoLimite, limites, type TipoLimite } from '@vigia/contracts/limites'
import { type LockedLineage, listLineage } from '../db/lineage.ts'
import type { Database } from '../db/open.ts'
import { countAlong } from '../db/quota-counts.ts'
import type { EmpresaRow } from '../db/rows.ts'
import { inScope, type Login } from '../http/caller.ts'

interface Wanted {
  readonly tipo: TipoLimite
  readonly quantos: number
  /** Caller whose scope limits the names in the error. */
  readonly quem: Pick<Login, 'escopo'>
  readonly now: number
  /** The Empresa that the objects leave; it and its ancestors already count them. */
  readonly de?: number
}

/**
 * Checks that `quantos` more fit into the Empresa and each ancestor.
 * @param lineage locked in the transaction that adds the objects
 * @throws VigiaError `conflito` with the exhausted limit
 */
export async function requireQuota(tx: Database, lineage: LockedLineage, wanted: Wanted): Promise<void> {
  if (wanted.quantos === 0) return
  const counts = await countAlong(tx, lineage.chain, wanted.tipo, wanted.now)
  const left = wanted.de === undefined ? [] : await listLineage(tx, wanted.de)
  const counting = new Set(left.map(({ id }) => id))
  for (const [nivel, empresa] of lineage.chain.entries()) {
    if (counting.has(empresa.id)) return
    const limite = empresa[campoLimite(wanted.tipo)]
    const livres = Math.max(0, limite - (counts[nivel] ?? 0))
    if (wanted.quantos > livres) throw usedUp(lineage.empresa, empresa, limite, livres, wanted)
  }
}

/** Returns the smallest free number of the Empresa and its ancestors. */
export async function freeQuota(
  db: Database,
  { chain }: Pick<LockedLineage, 'chain'>,
  tipo: TipoLimite,
  now: number,
): Promise<number> {
  const counts = await countAlong(db, chain, tipo, now)
  const free = chain.map((empresa, nivel) => empresa[campoLimite(tipo)] - (counts[nivel] ?? 0))
  return Math.max(0, Math.min(...free))
}

/** The error names the limiting Empresa only to callers with it in scope. */
function usedUp(own: EmpresaRow, at: EmpresaRow, limite: number, livres: number, { tipo, quantos, quem }: Wanted) {
  const { nome, quemMuda } = limites[tipo]
  if (at.id !== own.id && !inScope(quem, at.id))
    return new VigiaError('conflito', {
      detalhe:
        `O limite de ${nome} da conta acima desta Empresa está todo em uso. ` +
        'Remova o que não usa mais ou peça a quem administra aquela conta um limite maior.',
    })
  const whose = at.id === own.id ? 'da Empresa' : `da Empresa "${at.nome}" com as que estão abaixo dela`
  const raise =
    quem.escopo === 'tudo'
      ? 'aumente o limite'
      : `peça um limite maior ${quemMuda === 'acima' ? 'a quem administra a conta acima' : 'ao operador da instalação'}`
  const limit = `limite de ${nome} (${limite}) ${whose}`
  const detalhe =
    livres === 0
      ? `O ${limit} está todo em uso. Remova o que não usa mais ou ${raise}.`
      : `No ${limit} restam ${livres}, e seriam criados ${quantos}. Escolha menos ou ${raise}.`
  return new VigiaError('conflito', { detalhe })
}
