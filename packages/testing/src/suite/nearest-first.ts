/** Sorts tests by the number of folders that their path shares with a changed file, highest first. */
export function nearestFirst<Test extends { readonly moduleId: string }>(
  tests: readonly Test[],
  changed: readonly string[],
): Test[] {
  const nearness = new Map(
    tests.map((test) => [test, Math.max(0, ...changed.map((file) => shared(test.moduleId, file)))]),
  )
  return [...tests].sort((a, b) => (nearness.get(b) ?? 0) - (nearness.get(a) ?? 0))
}

function shared(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')]
  const first = left.findIndex((name, index) => name !== right[index])
  return first < 0 ? left.length : first
}
