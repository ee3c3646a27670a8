import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { WITHOUT_LOCKS } from '@vigia/testing/first-statements'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { expect } from 'vitest'
import { type Database, openDatabase } from '../../db/open.ts'
import { testPlace } from '../clouds/template.ts'
import { type Stripped, withoutLocks } from '../stores/without-locks-store.ts'

/** Two connection pools on one database, like those of two replicas. */
export interface TwoPools {
  readonly one: Database
  readonly two: Database
  readonly dir: string
  close(): Promise<void>
}

export async function openTwoPools(): Promise<TwoPools> {
  const dir = temporaryFolder('vigia-corridas-')
  const place = await testPlace(join(dir, 'vigia.db'))
  const [one, two] = await Promise.all([openDatabase(place), openDatabase(place)])
  return {
    one,
    two,
    dir,
    async close() {
      await Promise.all([one.destroy(), two.destroy()])
      await rm(dir, { recursive: true, force: true })
    },
  }
}

interface Race {
  /** Row of the table in docs/replicas.md. */
  readonly row: string
  readonly rounds: number
  /** Prepares a round, runs the product code on both databases at the same time, and counts what went wrong. */
  readonly round: (one: Database, two: Database, n: number) => Promise<number>
  readonly strip?: (db: Database) => Stripped
}

/** On a loaded machine a race may not show in its usual number of rounds. */
const MOST_TIMES = 10

/**
 * Counts the failures of some rounds with the locks, and of as many without them.
 * @param shows further rounds without the locks follow until one fails
 */
async function runRace({ one, two }: TwoPools, { row, rounds, round, strip = withoutLocks }: Race, shows: boolean) {
  let locked = 0
  for (let n = 0; n < rounds; n += 1) locked += await round(one, two, n)
  const [a, b] = [strip(one), strip(two)]
  process.env[WITHOUT_LOCKS] = '1'
  let unlocked = 0
  try {
    for (let n = 0; n < rounds || (shows && unlocked === 0 && n < MOST_TIMES * rounds); n += 1)
      unlocked += await round(a.db, b.db, n)
  } finally {
    delete process.env[WITHOUT_LOCKS]
  }
  console.log(`race ${row}: ${unlocked} without the lock, ${locked} with it, ${rounds} rounds each`)
  return { locked, unlocked, removed: a.removed() + b.removed() }
}

/** Fails unless the locks prevent every failure, and failures occur without them. */
export async function expectCured(pools: TwoPools, race: Race): Promise<void> {
  const { locked, unlocked, removed } = await runRace(pools, race, true)
  expect(locked).toBe(0)
  expect(removed).toBeGreaterThan(0)
  expect(unlocked).toBeGreaterThan(0)
}

/** Fails if a failure occurs, with locks or without. */
export async function expectNoRace(pools: TwoPools, race: Race): Promise<void> {
  const { locked, unlocked } = await runRace(pools, race, false)
  expect([locked, unlocked]).toEqual([0, 0])
}

/** Runs all at the same time. Returns the results of those that succeeded. */
export async function together<T>(...runs: readonly (() => Promise<T>)[]): Promise<T[]> {
  const settled = await Promise.allSettled(runs.map((run) => run()))
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}
