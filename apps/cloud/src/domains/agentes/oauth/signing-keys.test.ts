import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSecretBox } from '../../../adapters/secret-box.ts'
import type { Database } from '../../../db/open.ts'
import { AUDIENCE, accessClaims, ISSUER } from '../../../test/clients/access-claims.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { roomyDisk } from '../../../test/stand-ins/roomy-disk.ts'
import { storedAt } from '../../../test/stores/stored-store.ts'
import { renewSeals } from '../../locais/segredos/renew-seals.ts'
import { createSigningKeys, type SigningKeys } from './signing-keys.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let dir: string
let db: Database
let now: number
let key: Buffer
let keys: SigningKeys
beforeEach(async () => {
  dir = temporaryFolder('vigia-chaves-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  now = Date.UTC(2026, 0, 31, 12)
  lines = []
  key = randomBytes(32)
  keys = replica()
})
afterEach(async () => {
  await db.destroy()
  rmSync(dir, { recursive: true })
})

/** Logged messages. */
let lines: string[]
const note = (_fields: object, message: string) => {
  lines.push(message)
}
const log = { debug: note, info: note, warn: note, error: note }
const replica = (on = db) =>
  createSigningKeys({ db: on, clock: { now: () => now }, box: createSecretBox(key), log, disk: roomyDisk })
const sign = async () => (await keys.signer())(accessClaims(now))
const verify = (token: string) => keys.verify(token, { issuer: ISSUER, audience: AUDIENCE })
const kidOf = (token: string) => decodeProtectedHeader(token).kid ?? ''
const rows = () => db.selectFrom('chaves_oauth').selectAll().orderBy('id').execute()

it('rotate for 200 days: a client that caches the set for an hour can verify every token', {
  timeout: 120_000,
}, async () => {
  const used = new Set<string>()
  let set = await keys.published()
  let fetchedAt = now
  let held: { token: string; until: number }[] = []
  for (const end = now + 200 * DAY; now < end; now += 25 * 60_000) {
    // A client that fetches the key set as rarely as the cache header allows.
    if (now - fetchedAt >= HOUR) {
      set = await keys.published()
      fetchedAt = now
    }
    if (now % (5 * HOUR) < 25 * 60_000 || set.keys.length > 1) {
      const local = createLocalJWKSet(set as JSONWebKeySet)
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
  // Two days for each key: published before it signs, and until its last token has expired.
  expect((await rows()).length).toBeLessThanOrEqual(2)
})

it('publishes a new key a day before it signs, and removes the old one an hour and five minutes after', async () => {
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

it('signs with the old key for one more day after months without requests', async () => {
  const first = kidOf(await sign())
  now += 400 * DAY
  expect(kidOf(await sign())).toBe(first)
  expect((await keys.published()).keys).toHaveLength(2)
  now += DAY
  expect(kidOf(await sign())).not.toBe(first)
})

it.each([
  ['back', [-400 * DAY]],
  ['ahead and back again', [400 * DAY, -400 * DAY]],
  ['ahead past the change of keys and back again', [89 * DAY, DAY + HOUR * 2, -90 * DAY]],
])('signs with a published key after the clock was set %s', async (_, jumps) => {
  await sign()
  for (const jump of jumps) {
    now += jump
    const token = await sign()
    expect(await verify(token)).not.toBeNull()
    expect((await keys.published()).keys.map(({ kid }) => kid)).toContain(kidOf(token))
  }
  now += DAY
  expect(await verify(await sign())).not.toBeNull()
  expect((await rows()).length).toBeLessThanOrEqual(2)
})

it('creates one first key in two concurrent processes', async () => {
  const other = await openTestDatabase(join(dir, 'vigia.db'))
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

it('are encrypted on disk, and encrypted again when the key of the secret box changes', async () => {
  const token = await sign()
  expect(await storedAt(join(dir, 'vigia.db'))).not.toContain('PRIVATE KEY')
  const previous = key
  key = randomBytes(32)
  expect(await renewSeals({ db, box: createSecretBox(key, [previous]), log })).toEqual({ renewed: 1, left: 0 })
  keys = replica()
  expect(kidOf(await sign())).toBe(kidOf(token))
  expect(await verify(token)).not.toBeNull()
})

it.each([
  ['that was damaged', () => 'x'],
  [
    'sealed with a key of the box that is gone',
    () => createSecretBox(randomBytes(32)).seal('x', 'chaves_oauth/privada/1'),
  ],
])('one %s neither prevents the start nor requires the earlier key of the secret box', async (_, sealed) => {
  await sign()
  await db.updateTable('chaves_oauth').set({ privada_cifrada: sealed() }).execute()
  expect(await renewSeals({ db, box: createSecretBox(key), log })).toEqual({ renewed: 0, left: 0 })
  keys = replica()
  expect(await verify(await sign())).not.toBeNull()
  expect(lines).toEqual(['oauth: the signing key is damaged; a new key replaces it'])
})

describe('a damaged key', () => {
  const damage = (changes: { privada_cifrada?: string; publica_json?: string }, id = 1) =>
    db.updateTable('chaves_oauth').set(changes).where('id', '=', id).execute()
  const kids = async () => (await keys.published()).keys.map(({ kid }) => kid)

  it('is replaced at once, with one log line; its tokens stay valid until they expire', async () => {
    const token = await sign()
    await damage({ privada_cifrada: 'x' })
    keys = replica()
    const next = await sign()
    expect(kidOf(next)).not.toBe(kidOf(token))
    for (const each of [token, next]) expect(await verify(each)).not.toBeNull()
    expect(await kids()).toEqual([kidOf(token), kidOf(next)])
    expect(lines).toEqual(['oauth: the signing key is damaged; a new key replaces it'])
    now += HOUR + 5 * 60_000
    expect(await kids()).toEqual([kidOf(next)])
    expect(lines).toHaveLength(1)
  })

  it('is replaced once by two concurrent processes', async () => {
    const other = await openTestDatabase(join(dir, 'vigia.db'))
    try {
      await sign()
      await damage({ privada_cifrada: createSecretBox(key).seal('x', 'chaves_oauth/privada/7') })
      const all = [replica(), replica(), replica(other), replica(other)]
      const signers = await Promise.all([...all, ...all].map((each) => each.signer()))
      const used = await Promise.all(signers.map(async (signWith) => kidOf(await signWith(accessClaims(now)))))
      expect([new Set(used).size, (await rows()).length, lines.length]).toEqual([1, 2, 1])
    } finally {
      await other.destroy()
    }
  })

  it.each([
    ['is no JSON', 'x'],
    ['lacks what a key has', '{"kty":"RSA"}'],
  ])('in its public part (%s) is not published and verifies no token', async (_, publica_json) => {
    const token = await sign()
    await damage({ publica_json })
    keys = replica()
    expect([await verify(token), await kids()]).toEqual([null, []])
    const next = await sign()
    expect([(await verify(next)) !== null, await kids()]).toEqual([true, [kidOf(next)]])
  })

  it('with another public number does not sign tokens, because they could not be verified', async () => {
    await sign()
    const [row] = await rows()
    await damage({ publica_json: (row?.publica_json ?? '').replace(/"n":"./, '"n":"_') })
    keys = replica()
    expect(await verify(await sign())).not.toBeNull()
  })

  it('that is not in use yet is replaced only when it must sign', async () => {
    const first = kidOf(await sign())
    now += 89 * DAY
    expect(await kids()).toHaveLength(2)
    await damage({ privada_cifrada: 'x' }, 2)
    expect(kidOf(await sign())).toBe(first)
    now += DAY
    const token = await sign()
    expect([(await verify(token)) !== null, (await rows()).length]).toEqual([true, 3])
    now += 2 * HOUR
    expect(await kids()).toEqual([kidOf(token)])
  })

  it('with a published successor is replaced until the successor signs', async () => {
    await sign()
    now += 89 * DAY
    const successor = (await kids())[1]
    await damage({ privada_cifrada: 'x' })
    keys = replica()
    expect(kidOf(await sign())).not.toBe(successor)
    now += DAY
    expect(kidOf(await sign())).toBe(successor)
  })
})
