import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Database, openDatabase } from './open.ts'
import { createPulse, type Pulse } from './pulse.ts'
import { transact } from './transaction.ts'

let dir: string
let db: Database
let pulse: Pulse
beforeEach(async () => {
  dir = temporaryFolder('vigia-pulse-')
  pulse = createPulse()
  db = await openDatabase(join(dir, 'vigia.db'), { onQuery: pulse.onQuery })
})
afterEach(async () => {
  await db.destroy()
  rmSync(dir, { recursive: true })
})

const within = (ms: number) => Promise.race([pulse.next(db).then(() => 'answer'), delay(ms).then(() => 'silence')])
const countUsers = (on: Database) => on.selectFrom('usuarios').select('id').execute()

it('resolves for a database that answers, even with an error', async () => {
  expect(await within(5_000)).toBe('answer')
  await db.schema.alterTable('usuarios').renameTo('outros').execute()
  expect(await within(5_000)).toBe('answer')
  await db.schema.alterTable('outros').renameTo('usuarios').execute()
})

it('stays pending behind a blocked transaction and resolves after its end', async () => {
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const transaction = transact(db, () => {
    begun.resolve()
    return held.promise
  })
  await begun.promise
  expect([await within(200), await within(200)]).toEqual(['silence', 'silence'])
  held.resolve()
  await transaction
  expect(await within(5_000)).toBe('answer')
})

it('resolves behind a long transaction that still runs queries', async () => {
  let isBusy = true
  const transaction = transact(db, async (tx) => {
    while (isBusy) {
      await countUsers(tx)
      await delay(10)
    }
  })
  expect([await within(5_000), await within(5_000)]).toEqual(['answer', 'answer'])
  isBusy = false
  await transaction
})
