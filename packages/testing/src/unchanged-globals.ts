import { afterAll, expect } from 'vitest'

/** Setup file of projects with shared processes: fails a test file that leaves a changed global to the next file. */
const before = readGlobals()

afterAll(() => {
  const after = readGlobals()
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  )
  expect(changed, 'globals that this file changed and did not restore').toEqual([])
})

function readGlobals(): Map<string, unknown> {
  const { fetch, setTimeout, setInterval, setImmediate } = globalThis
  return new Map<string, unknown>([
    ...Object.entries({ fetch, setTimeout, setInterval, setImmediate, Date: globalThis.Date }),
    ...Object.entries({ 'Date.now': Date.now, 'Math.random': Math.random, 'performance.now': performance.now }),
    ...Object.entries(process.env)
      // sharp sets it when it is loaded.
      .filter(([name]) => name !== 'VIPSHOME')
      .map(([name, value]): [string, unknown] => [`env ${name}`, value]),
    ['folder', process.cwd()],
  ])
}
