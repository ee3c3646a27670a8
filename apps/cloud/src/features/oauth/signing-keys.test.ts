import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSecretBox } from '../../adapters/secret-box.ts'
import { type Database, openDatabase } from '../../db/open.ts'
import { AUDIENCE, accessClaims, ISSUER } from '../../test/access-claims.ts'
import { renewSeals } from '../segredos/renew-seals.ts'
import { createSigningKeys, type SigningKeys } from './signing-keys.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let dir: string
let db: Database
let now: number
let key: Buffer
let keys: SigningKeys
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'vigia-chaves-'))
  db = await openDatabase(join(dir, 'vigia.db'))
  now = Date.UTC(2026, 0, 31, 12)
  key = randomBytes(32)
  keys = replica()
})
afterEach(async () => {
  await db.destroy()
  rmSync(dir, { recursive: true })
})

const replica = (on = db) => createSigningKeys({ db: on, clock: { now: () => now }, box: createSecretBox(key) })
const sign = async () => (await keys.signer())(accessClaims(now))
const verify = (token: string) => keys.verify(token, { issuer: ISSUER, audience: AUDIENCE })
const kidOf = (token: string) => decodeProtectedHeader(token).kid ?? ''
const rows = () => db.selectFrom('chaves_oauth').selectAll().orderBy('id').execute()

it('follow each other through 200 days: every token is verified by who keeps the set for an hour', async () => {
  const used = new Set<string>()
  let set = await keys.published()
  let fetchedAt = now
  let held: { token: string; until: number }[] = []
  for (const end = now + 200 * DAY; now < end; now += 25 * 60_000) {
    // A client that fetches the set as seldom as it is told to.
    if (now - fetchedAt >= HOUR) {
      set = await keys.published()
      fetchedAt = now
    }
    const local = createLocalJWKSet(set as JSONWebKeySet)
    if (now % (5 * HOUR) < 25 * 60_000 || set.keys.length > 1) {
      const token = await sign()
      used.add(kidOf(token))
      held = [...held.filter(({ until }) => until > now), { token, until: now + HOUR }]
      for (const { token: each } of held) {
        await jwtVerify(each, local, { issuer: ISSUER, audience: AUDIENCE, currentDate: new Date(now) })
        expect(await verify(each)).not.toBeNull()
      }
    }
    expect(set.keys.length).toBeLessThanOrEqual(2)
  }
  expect(used.size).toBe(3)
  // Two days each: published before it signs, and until its last token has ended.
  expect((await rows()).length).toBeLessThanOrEqual(2)
})

it('a new one is published a day before it signs; the old one goes an hour and five minutes after', async () => {
  const first = kidOf(await sign())
  const kids = async () => (await keys.published()).keys.map(({ kid }) => kid)
  const start = now
  const at = async (ms: number) => {
    now = start + ms
    return { published: await kids(), signs: kidOf(await sign()) }
  }
  expect(await at(89 * DAY - 1000)).toEqual({ published: [first], signs: first })
  const { published } = await at(89 * DAY)
  expect(published).toEqual([first, expect.not.stringContaining(first)])
  const second = published[1]
  expect(await at(90 * DAY - 1000)).toEqual({ published, signs: first })
  expect(await at(90 * DAY)).toEqual({ published, signs: second })
  expect(await at(90 * DAY + 65 * 60_000 - 1000)).toEqual({ published, signs: second })
  expect(await at(90 * DAY + 65 * 60_000)).toEqual({ published: [second], signs: second })
  expect(await rows()).toHaveLength(1)
})

it('where nobody asked for months, the old one signs on for the day of notice', async () => {
  const first = kidOf(await sign())
  now += 400 * DAY
  expect(kidOf(await sign())).toBe(first)
  expect((await keys.published()).keys).toHaveLength(2)
  now += DAY
  expect(kidOf(await sign())).not.toBe(first)
})

it('two processes that need the first at once end with one', async () => {
  const other = await openDatabase(join(dir, 'vigia.db'))
  try {
    const all = [keys, replica(), replica(other), replica(other)]
    const sets = await Promise.all([...all, ...all].map((each) => each.published()))
    expect(new Set(sets.map((set) => JSON.stringify(set))).size).toBe(1)
    expect(await rows()).toHaveLength(1)
    now += 90 * DAY
    await Promise.all([...all, ...all].map((each) => each.signer()))
    expect(await rows()).toHaveLength(2)
  } finally {
    await other.destroy()
  }
})

it('are not readable on the disk, and are sealed anew when the key of the secret box changes', async () => {
  const token = await sign()
  const disk = () => ['', '-wal'].map((suffix) => readFileSync(join(dir, `vigia.db${suffix}`), 'latin1')).join('')
  expect(disk()).not.toContain('PRIVATE KEY')
  const previous = key
  key = randomBytes(32)
  const note = () => {}
  const log = { debug: note, info: note, warn: note, error: note }
  expect(await renewSeals({ db, box: createSecretBox(key, [previous]), log })).toEqual({ renewed: 1, left: 0 })
  keys = replica()
  expect(kidOf(await sign())).toBe(kidOf(token))
  expect(await verify(token)).not.toBeNull()
})
