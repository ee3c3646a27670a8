import { type EdgeLineage, type LineageLevel, lineageLevels } from './edge-lineage.ts'

/**
 * Waiting items in turns: of the next root Empresa, of its next Empresa, of its next edge, the oldest item. However
 * many edges one Empresa has, each other root waits for at most one item of it.
 */
export interface FairTurns<Item> {
  push(of: EdgeLineage, item: Item): void
  /** Removes and returns the next item. A unit or an item that is not ready is passed over and keeps its turn. */
  take(ready: Readiness<Item>): Item | undefined
  /** Removes the items of an edge that match. */
  remove(of: EdgeLineage, isRemoved: (item: Item) => boolean): void
  /** Whether an item of this edge waits. */
  has(of: EdgeLineage): boolean
  readonly size: number
}

export interface Readiness<Item> {
  unit?(level: LineageLevel, key: string): boolean
  item?(item: Item): boolean
}

/** A unit with waiting items. The order of `children` is the order of their turns. */
interface Unit<Item> {
  readonly children: Map<string, Unit<Item>>
  /** Only an edge has items. */
  readonly items: Item[]
}

const newUnit = <Item>(): Unit<Item> => ({ children: new Map(), items: [] })
const isEmpty = ({ children, items }: Unit<unknown>) => children.size === 0 && items.length === 0

export function createFairTurns<Item>(): FairTurns<Item> {
  const all = newUnit<Item>()
  let size = 0

  function takeOf(unit: Unit<Item>, depth: number, ready: Readiness<Item>): Item | undefined {
    const level = lineageLevels[depth]
    if (level === undefined) {
      const [first] = unit.items
      return first !== undefined && ready.item?.(first) !== false ? unit.items.shift() : undefined
    }
    for (const [key, child] of unit.children) {
      if (ready.unit?.(level, key) === false) continue
      const item = takeOf(child, depth + 1, ready)
      if (item === undefined) continue
      // Re-inserted at the end: its next turn follows those of the others.
      unit.children.delete(key)
      if (!isEmpty(child)) unit.children.set(key, child)
      return item
    }
    return undefined
  }

  const edgeOf = ({ root, empresa, edge }: EdgeLineage) =>
    all.children.get(root)?.children.get(empresa)?.children.get(edge)

  return {
    push(of, item) {
      let unit = all
      for (const level of lineageLevels) {
        const child = unit.children.get(of[level]) ?? newUnit<Item>()
        unit.children.set(of[level], child)
        unit = child
      }
      unit.items.push(item)
      size += 1
    },
    take(ready) {
      const item = takeOf(all, 0, ready)
      if (item !== undefined) size -= 1
      return item
    },
    remove(of, isRemoved) {
      const edge = edgeOf(of)
      if (edge === undefined) return
      const kept = edge.items.filter((item) => !isRemoved(item))
      size -= edge.items.length - kept.length
      edge.items.splice(0, edge.items.length, ...kept)
      const root = all.children.get(of.root)
      const empresa = root?.children.get(of.empresa)
      if (isEmpty(edge)) empresa?.children.delete(of.edge)
      if (empresa && isEmpty(empresa)) root?.children.delete(of.empresa)
      if (root && isEmpty(root)) all.children.delete(of.root)
    },
    has: (of) => edgeOf(of) !== undefined,
    get size() {
      return size
    },
  }
}
