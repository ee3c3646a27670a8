import { edgeName } from './identity.ts'

/** An edge with its Empresa and its root Empresa. Keys of turns, rates and shares. */
export interface EdgeLineage {
  readonly root: string
  readonly empresa: string
  readonly edge: string
}

/** Units of a lineage, from the widest to the narrowest. */
export const lineageLevels = ['root', 'empresa', 'edge'] as const satisfies readonly (keyof EdgeLineage)[]
export type LineageLevel = (typeof lineageLevels)[number]

/** A bound for each unit of a lineage. */
export type PerLevel = { readonly [level in LineageLevel]: number }

/** An edge of no known Empresa is its own Empresa and root. */
export const ownLineage = (edgeId: number): EdgeLineage => {
  const edge = edgeName(edgeId)
  return { root: edge, empresa: edge, edge }
}

/** The Empresas of an edge by their ids; null: the edge serves several root Empresas. */
export interface EdgeOwner {
  readonly edgeId: number
  readonly empresa: { readonly id: number; readonly rootId: number } | null
}

export const lineageOf = ({ edgeId, empresa }: EdgeOwner): EdgeLineage =>
  empresa === null
    ? ownLineage(edgeId)
    : { root: `raiz-${empresa.rootId}`, empresa: `empresa-${empresa.id}`, edge: edgeName(edgeId) }

/**
 * Order and run lengths of edges that share an Empresa: n edges of one Empresa, negative when it begins another root
 * Empresa. 40,000 edges fit the list of certificates in this form (docs/link.md), and no id of an Empresa leaves the
 * cloud.
 */
export function groupEdges(owners: readonly EdgeOwner[]): { readonly edgeIds: number[]; readonly grupos: number[] } {
  const keyed = owners.map((owner) => ({ edgeId: owner.edgeId, ...lineageOf(owner) }))
  keyed.sort((a, b) => compare(a.root, b.root) || compare(a.empresa, b.empresa) || a.edgeId - b.edgeId)
  const grupos: number[] = []
  let before: (typeof keyed)[number] | undefined
  for (const edge of keyed) {
    const last = grupos.length - 1
    if (edge.root !== before?.root) grupos.push(-1)
    else if (edge.empresa !== before.empresa) grupos.push(1)
    else grupos[last] = (grupos[last] ?? 0) + Math.sign(grupos[last] ?? 1)
    before = edge
  }
  return { edgeIds: keyed.map(({ edgeId }) => edgeId), grupos }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Reads `groupEdges` back. The first edge of a run names the Empresa and the root. Edges beyond the runs belong to
 * nobody else.
 */
export function readGroups(names: readonly string[], grupos: readonly number[]): Map<string, EdgeLineage> {
  const lineages = new Map<string, EdgeLineage>()
  let at = 0
  let root: string | undefined
  for (const run of grupos) {
    const empresa = names[at]
    if (empresa === undefined) break
    if (run < 0 || root === undefined) root = empresa
    for (const edge of names.slice(at, at + Math.abs(run))) lineages.set(edge, { root, empresa, edge })
    at += Math.abs(run)
  }
  return lineages
}
