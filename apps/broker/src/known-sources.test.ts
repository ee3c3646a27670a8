import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createMemoryLog } from '@vigia/link/testing/installation'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createKnownSources, type KnownSources } from './known-sources.ts'

const DAY_MS = 86_400_000
let dir: string
let now: number
let log: ReturnType<typeof createMemoryLog>
beforeEach(() => {
  dir = temporaryFolder('vigia-known-')
  now = 1_700_000_000_000
  log = createMemoryLog()
})
afterEach(() => rmSync(dir, { recursive: true }))

async function begin(): Promise<KnownSources> {
  const known = createKnownSources({ dir, log, clock: () => now })
  await known.start()
  return known
}

it('keeps a source for seven days after its last connection, across restarts', async () => {
  const first = await begin()
  const leave = first.admitted('10.0.0.1', 'edge-1')
  now += 30 * DAY_MS
  expect(first.has('10.0.0.1')).toBe(true)
  leave()
  await first.stop()
  now += 6 * DAY_MS
  const second = await begin()
  expect([second.has('10.0.0.1'), second.has('10.0.0.2')]).toEqual([true, false])
  now += DAY_MS
  expect(second.has('10.0.0.1')).toBe(false)
  await second.stop()
})

it('keeps a source that was connected when the broker was killed', async () => {
  const killed = await begin()
  killed.admitted('10.0.0.1', 'edge-1')
  now += 8 * DAY_MS
  // The result of the hourly write.
  await killed.stop()
  now += 6 * DAY_MS
  const next = await begin()
  expect(next.has('10.0.0.1')).toBe(true)
  await next.stop()
})

it('lets no certificate displace the sources of others, and keeps connected sources', async () => {
  const known = await begin()
  known.admitted('10.0.0.1', 'edge-1')()
  known.admitted('10.1.0.0', 'edge-2')
  for (let host = 1; host <= 9_000; host += 1) known.admitted(`10.1.${host >> 8}.${host & 255}`, 'edge-2')()
  expect([known.has('10.0.0.1'), known.has('10.1.0.0'), known.has('10.1.0.1')]).toEqual([true, true, false])
  await known.stop()
  const [file = ''] = readdirSync(dir)
  expect(JSON.parse(readFileSync(join(dir, file), 'utf8')).origens.length).toBeLessThan(12)
})

it('bounds the total number of sources', async () => {
  const known = await begin()
  for (let host = 0; host < 8_200; host += 1) known.admitted(`10.1.${host >> 8}.${host & 255}`, `edge-${host}`)()
  expect([known.has('10.1.0.7'), known.has('10.1.0.8'), known.has('10.1.32.7')]).toEqual([false, true, true])
  await known.stop()
})

it('ignores a damaged file, logs it and replaces it', async () => {
  const before = await begin()
  before.admitted('10.0.0.1', 'edge-1')
  await before.stop()
  const [file = ''] = readdirSync(dir)
  writeFileSync(join(dir, file), '{"v":1,')
  const known = await begin()
  expect(known.has('10.0.0.1')).toBe(false)
  expect(log.lines.join()).toContain('damaged file of known addresses ignored')
  known.admitted('10.0.0.2', 'edge-1')
  await known.stop()
  const next = await begin()
  expect(next.has('10.0.0.2')).toBe(true)
  await next.stop()
})
