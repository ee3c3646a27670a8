import { invalid, VigiaError } from '@vigia/contracts/errors'
import type { Database } from '../../../db/open.ts'
import { type Caller, inScope, notFound } from '../../../http/caller.ts'
import { usesLocalEdge } from './local-edge-store.ts'
import { findEdgeOwner, leastLoadedEdge } from './store.ts'

/**
 * Returns the edge for a new camera of `empresaId`: the requested one, else the Empresa's edge with the fewest cameras,
 * else the local edge. Activated edges come first. null: no edge exists.
 * @throws VigiaError `nao_encontrado` (edge out of scope), `validacao` (edge of another Empresa).
 */
export async function chooseEdge(
  db: Database,
  caller: Caller,
  empresaId: number,
  asked: number | null | undefined,
): Promise<number | null> {
  if (asked == null) return (await leastLoadedEdge(db, empresaId))?.id ?? null
  return await requireAskedEdge(db, caller, empresaId, asked)
}

/**
 * Requires an edge that may serve `empresaId` (null: any edge in the caller's scope). Returns its id.
 * @throws VigiaError `nao_encontrado` (edge out of scope), `validacao` (edge of another Empresa), `conflito` (the local
 * edge does not serve this Empresa).
 */
export async function requireAskedEdge(
  db: Database,
  caller: Caller,
  empresaId: number | null,
  asked: number,
): Promise<number> {
  const edge = await findEdgeOwner(db, asked)
  if (edge?.local) {
    await requireLocalEdge(db, caller, empresaId)
    return edge.id
  }
  if (edge && edge.empresa_id === empresaId) return edge.id
  if (!edge || edge.empresa_id === null || !inScope(caller, edge.empresa_id)) throw notFound('Caixa não encontrada.')
  if (empresaId === null) return edge.id
  throw invalid(['body', 'edge_id'], 'Esta caixa atende outra Empresa')
}

/**
 * The local edge stands in a network of the operator, who decides which Empresas use it.
 * @param empresaId null: no Empresa, which only the operator may do
 * @throws VigiaError `conflito`
 */
export async function requireLocalEdge(db: Database, caller: Caller, empresaId: number | null): Promise<void> {
  if (empresaId === null ? caller.escopo === 'tudo' : await usesLocalEdge(db, empresaId)) return
  throw new VigiaError('conflito', {
    detalhe:
      'Esta Empresa ainda não tem uma caixa, e a da instalação não a atende. Cadastre e ative uma caixa na rede do ' +
      'equipamento, ou peça ao operador da instalação que libere a dele.',
  })
}
