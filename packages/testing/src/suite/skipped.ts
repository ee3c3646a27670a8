/** A test that did not run: its titles from the outermost suite, and the note of `context.skip(note)`. */
export interface SkippedTest {
  readonly titles: readonly string[]
  readonly note: string | undefined
}

/** The reason of a skipped test: its note, or the end `(needs …)` of a title. null: none. */
function reasonOf({ titles, note }: SkippedTest): string | null {
  if (note !== undefined) return note
  for (const title of titles) {
    const [, reason] = /\((needs .+)\)$/.exec(title) ?? []
    if (reason !== undefined) return reason
  }
  return null
}

/** Lines for the end of a run: each reason with the number of its tests, and each test without a reason. */
export function describeSkipped(tests: readonly SkippedTest[]): { lines: string[]; isExplained: boolean } {
  const reasons = Map.groupBy(tests, reasonOf)
  const unexplained = reasons.get(null) ?? []
  reasons.delete(null)
  const counted = [...reasons].sort(([, a], [, b]) => b.length - a.length)
  return {
    lines: [
      ...counted.map(([reason, some]) => `${String(some.length).padStart(9)}  ${reason}`),
      ...unexplained.map(({ titles }) => `no reason  ${titles.join(' > ')}`),
    ],
    isExplained: unexplained.length === 0,
  }
}
