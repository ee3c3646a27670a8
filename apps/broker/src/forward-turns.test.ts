import { expect, it } from 'vitest'
import { createForwardTurns } from './forward-turns.ts'

const BYTES = 1_000

/** A cloud that takes nothing until `drain`, and edges whose publications are noted when they are passed on. */
function stage() {
  const cloud = { queuedBytes: 0, reads: () => true }
  const clock = { now: 0 }
  const passed: string[] = []
  const turns = createForwardTurns({
    destinations: () => [cloud],
    aboveBytes: BYTES,
    stalledMs: 5_000,
    monotonic: () => clock.now,
  })
  const publish = (root: string, edge: string) => {
    const lineage = { root, empresa: root, edge: root + edge }
    const publication = {
      lineage,
      topic: 't',
      bytes: BYTES,
      begin: () => {
        passed.push(root)
        cloud.queuedBytes += BYTES
        queueMicrotask(() => turns.done(publication))
      },
    }
    turns.push(publication)
    return publication
  }
  const drain = async () => {
    cloud.queuedBytes = 0
    turns.progressed(cloud)
    await new Promise(setImmediate)
  }
  return { cloud, clock, passed, publish, drain, turns }
}

it('passes on a publication of a neighbour for each of twenty boxes of a root, while the cloud is slow', async () => {
  const { passed, publish, drain } = stage()
  for (let round = 0; round < 5; round += 1) for (let box = 0; box < 20; box += 1) publish('hostile', `${box}`)
  for (let round = 0; round < 5; round += 1) publish('neighbour', '1')
  await new Promise(setImmediate)
  // The queue to the cloud is short, so that no neighbour waits behind what was sent before.
  expect(passed.length).toBeLessThanOrEqual(2)
  for (let round = 0; round < 20; round += 1) await drain()
  const turnsOfNeighbour = passed.flatMap((root, at) => (root === 'neighbour' ? [at] : []))
  expect(turnsOfNeighbour).toHaveLength(5)
  expect(turnsOfNeighbour.at(-1)).toBeLessThanOrEqual(2 + 2 * 5)
})

it('after the attack ends, its waiting publications do not delay a neighbour', async () => {
  const { passed, publish, drain } = stage()
  for (let at = 0; at < 400; at += 1) publish('hostile', `${at % 20}`)
  await drain()
  publish('neighbour', '1')
  await drain()
  await drain()
  expect(passed.indexOf('neighbour')).toBeLessThanOrEqual(6)
  expect(passed.length).toBeLessThan(10)
})

it('forgets what a connection that has ended still had', async () => {
  const { passed, publish, drain, turns } = stage()
  publish('x', '1')
  publish('x', '1')
  const waiting = publish('gone', '1')
  turns.done(waiting)
  publish('y', '1')
  await drain()
  await drain()
  expect(passed).toEqual(['x', 'x', 'y'])
})

it('passes everything on to a cloud that takes nothing for a time, so that edges get their answers', async () => {
  const { cloud, clock, passed, publish, turns } = stage()
  for (let box = 0; box < 5; box += 1) publish('x', `${box}`)
  await new Promise(setImmediate)
  expect(passed.length).toBeLessThan(5)
  expect(turns.isStalled(cloud)).toBe(false)
  clock.now = 5_001
  await expect.poll(() => turns.isStalled(cloud)).toBe(true)
  publish('x', '6')
  await expect.poll(() => passed.length).toBe(6)
})
