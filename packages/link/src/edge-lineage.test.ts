import { expect, it } from 'vitest'
import { type EdgeOwner, groupEdges, lineageOf, ownLineage, readGroups } from './edge-lineage.ts'
import { edgeName } from './identity.ts'

const owner = (edgeId: number, rootId: number, id = rootId): EdgeOwner => ({ edgeId, empresa: { id, rootId } })

it('names the Empresa and the root of an edge; an edge of several is its own root', () => {
  expect(lineageOf(owner(7, 1, 3))).toEqual({ root: 'raiz-1', empresa: 'empresa-3', edge: 'edge-7' })
  expect(lineageOf({ edgeId: 7, empresa: null })).toEqual(ownLineage(7))
})

it('reads groups of edges back, without an id of an Empresa', () => {
  const owners = [owner(1, 10), owner(2, 20, 21), owner(3, 10), owner(4, 20, 22), owner(5, 20, 21)]
  const { edgeIds, grupos } = groupEdges([...owners, { edgeId: 6, empresa: null }])
  expect([...edgeIds].sort()).toEqual([1, 2, 3, 4, 5, 6])
  expect(grupos.reduce((sum, run) => sum + Math.abs(run), 0)).toBe(6)
  const lineages = readGroups(edgeIds.map(edgeName), grupos)
  const together = (level: 'root' | 'empresa', a: number, b: number) =>
    lineages.get(edgeName(a))?.[level] === lineages.get(edgeName(b))?.[level]
  expect([together('root', 1, 3), together('root', 2, 4), together('root', 1, 2), together('root', 6, 1)]).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect([together('empresa', 2, 5), together('empresa', 2, 4), together('empresa', 1, 3)]).toEqual([true, false, true])
  expect(JSON.stringify([...lineages.values()])).not.toMatch(/raiz|empresa-/)
})

it('gives edges beyond the groups to nobody else', () => {
  expect(readGroups(['edge-1', 'edge-2'], [-1]).has('edge-2')).toBe(false)
  expect(readGroups(['edge-1'], [-1, 5, 0]).size).toBe(1)
})
