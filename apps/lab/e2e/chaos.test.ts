import { mosquittoProgram } from '@vigia/testing/mosquitto'
import { canMount } from '@vigia/testing/small-disk'
import { describe, expect, it } from 'vitest'
import { isRightlyDropped } from '../trials/chaos/drops.ts'
import { runChaos } from '../trials/chaos/run.ts'
import { isClean, summary } from '../trials/chaos/verdict.ts'
import { describeDrain, runDrain } from '../trials/drain/run.ts'

const mountable = canMount()
if (mosquittoProgram === null)
  console.warn('mosquitto is not installed here: events are counted on the embedded broker only')

/**
 * The short form of the trials chaos and drain: every fault on either broker, and a completely delivered
 * backlog.
 */
describe('delivery of counted events', () => {
  const count = async (broker: 'aedes' | 'mosquitto', rounds: number, seed: number) => {
    const { verdict, drops, faults, files } = await runChaos(
      { rounds, seed, broker, replicas: 1, banco: 'sqlite' },
      () => {},
    )
    console.info(broker, [...faults.keys()].sort().join(', '), '\n', summary(verdict, rounds, seed, drops))
    // The seed is chosen so that each kind of fault occurs.
    expect(faults.size).toBe(mountable ? 13 : 12)
    expect(verdict.produced).toBeGreaterThan(rounds)
    expect({ ...verdict, files }).toMatchObject({
      lost: 0,
      duplicated: 0,
      misordered: 0,
      unrecordedGaps: 0,
      files: null,
    })
    expect(isRightlyDropped(drops)).toBe(true)
  }

  it('survives every fault on the embedded broker', () => count('aedes', 8, 1070), 180_000)

  it.runIf(mosquittoProgram !== null)(
    'survives every fault on mosquitto with the shipped configuration (needs mosquitto)',
    () => count('mosquitto', 8, 1070),
    180_000,
  )

  it('delivers a long backlog completely', async () => {
    const drain = await runDrain(10_000, 0, () => {})
    console.info(describeDrain(drain))
    expect(drain.verdict).toMatchObject({ produced: 10_000, stored: 10_000 })
    expect(isClean(drain.verdict)).toBe(true)
  }, 180_000)
})
