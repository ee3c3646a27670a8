/** Ages of ids that do not depend on the wall clock, within one run of the program. */
export interface SeenSince {
  /** Those of `ids` that all calls of the last `ms` named. Forgets all others. */
  lasting(ids: readonly string[], ms: number): readonly string[]
}

/** @param monotonic ms */
export function createSeenSince(monotonic: () => number): SeenSince {
  let seen = new Map<string, number>()
  return {
    lasting(ids, ms) {
      const now = monotonic()
      seen = new Map(ids.map((id) => [id, seen.get(id) ?? now]))
      return ids.filter((id) => now - (seen.get(id) ?? now) >= ms)
    },
  }
}
