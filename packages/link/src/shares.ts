import { type EdgeLineage, lineageLevels, type PerLevel } from './edge-lineage.ts'

/** Largest amounts that one unit may hold, and all together. */
export interface ShareLimits extends PerLevel {
  readonly installation: number
}

/**
 * Divides one resource (bytes of memory, connections) among edges, Empresas and root Empresas. A root that holds some
 * has at most as much as is still free, so that busy roots leave space for others.
 * Source: dynamic thresholds, Choudhury and Hahne 1998.
 */
export interface Shares {
  /** false: above a bound, nothing changed. */
  take(of: EdgeLineage, amount: number): boolean
  give(of: EdgeLineage, amount: number): void
  /** The holder belongs to others from now on. */
  move(from: EdgeLineage, to: EdgeLineage, amount: number): void
  /** Amount that all hold together. */
  readonly used: number
}

export function createShares(limits: ShareLimits): Shares {
  const held = { root: new Map<string, number>(), empresa: new Map<string, number>(), edge: new Map<string, number>() }
  let used = 0

  function fits(of: EdgeLineage, amount: number): boolean {
    const free = limits.installation - used
    if (amount > free) return false
    for (const level of lineageLevels) {
      const before = held[level].get(of[level]) ?? 0
      if (before + amount > limits[level]) return false
      if (level === 'root' && before > 0 && before + amount > free) return false
    }
    return true
  }

  function add(of: EdgeLineage, amount: number): void {
    used += amount
    for (const level of lineageLevels) {
      const after = (held[level].get(of[level]) ?? 0) + amount
      if (after > 0) held[level].set(of[level], after)
      else held[level].delete(of[level])
    }
  }

  return {
    take(of, amount) {
      if (!fits(of, amount)) return false
      add(of, amount)
      return true
    },
    give: (of, amount) => add(of, -amount),
    move(from, to, amount) {
      add(from, -amount)
      add(to, amount)
    },
    get used() {
      return used
    },
  }
}
