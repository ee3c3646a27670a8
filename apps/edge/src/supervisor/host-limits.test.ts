import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import { createHostLimitStore, MOST_HOSTS } from './host-limit-store.ts'
import { createHostLimits, type HeldConnection, type HostLimits } from './host-limits.ts'

let atS: number
let limits: HostLimits
beforeEach(() => {
  atS = 1000
  limits = createHostLimits(() => atS * 1000)
  limits.declare([{ host: 'a', connections: Number.POSITIVE_INFINITY, cameras: 1 }])
})

/** A connection that was opened this many seconds ago. */
const open = (agoS: number, isAnalysis = false): HeldConnection => ({ isAnalysis, begunAt: (atS - agoS) * 1000 })
/** A further connection of the edge was opened so long ago; the analysed one is lost now. */
function loses(agoS: number | null, ...others: HeldConnection[]) {
  if (agoS !== null) {
    atS -= agoS
    limits.began('a')
    atS += agoS
  }
  return limits.lost('a', open(60, true), others)
}

it('learns from two losses right after a further connection', () => {
  expect(loses(3, open(3), open(50), open(2, true))).toBeNull()
  expect([limits.learned('a'), limits.of('a')]).toEqual([null, undefined])
  atS += 600
  // The further connection has ended by now.
  expect(loses(14, open(50), open(2, true))).toBe(3)
  expect([limits.learned('A.'), limits.of('a')?.connections]).toEqual([3, 3])
})

it.each([
  ['without another connection', null],
  ['after a connection that is older', 70],
  ['long after the connection', 16],
])('learns nothing from a loss %s', (_name, agoS) => {
  for (let n = 0; n < 3; n += 1) loses(agoS, open(3, true))
  expect(limits.learned('a')).toBeNull()
})

it('blames no further connection at a device whose streams also end without one', () => {
  loses(null)
  for (let n = 0; n < 3; n += 1) expect(loses(3, open(3))).toBeNull()
  expect(limits.learned('a')).toBeNull()
  atS += 3_700
  expect([loses(3), loses(3)]).toEqual([null, 1])
})

it('forgets what it has learned of a device whose streams still end', () => {
  for (let n = 0; n < 2; n += 1) loses(3)
  atS += 60
  loses(null)
  expect(limits.learned('a')).toBe(1)
  atS += 60
  loses(null)
  expect(limits.learned('a')).toBeNull()
})

it('learns nothing from losses that are far apart, or of a connection that had just begun', () => {
  loses(3)
  atS += 3700
  expect(loses(3)).toBeNull()
  limits.began('a')
  expect(limits.lost('a', open(4, true), [])).toBeNull()
})

it('keeps a smaller declared limit, forgets after seven days, and with the cameras of the host', () => {
  for (let n = 0; n < 2; n += 1) loses(3)
  limits.declare([{ host: 'a', connections: 3, cameras: 1 }])
  expect(limits.of('a')?.connections).toBe(1)
  atS += 7 * 86_400
  expect([limits.learned('a'), limits.of('a')?.connections]).toEqual([null, 3])
  for (let n = 0; n < 2; n += 1) loses(3)
  expect(limits.learned('a')).toBe(1)
  limits.declare([])
  expect(limits.learned('a')).toBeNull()
})

describe('across restarts', () => {
  let dir: string
  let db: EdgeDb
  let wallS: number
  const log = pino({ level: 'silent' })
  const declare = () => limits.declare([{ host: 'a', connections: Number.POSITIVE_INFINITY, cameras: 1 }])
  /** The program starts again: its monotonic clock may start anew. */
  function restart() {
    atS = 1000
    limits = createHostLimits(
      () => atS * 1000,
      createHostLimitStore(db, () => wallS * 1000, log),
    )
  }
  beforeEach(() => {
    dir = temporaryFolder('vigia-limits-')
    const opened = openEdgeDb(join(dir, 'edge.db'))
    if (!opened.ok) throw new Error(opened.reason)
    db = opened.db
    wallS = 1_800_000_000
    restart()
    declare()
    for (let n = 0; n < 2; n += 1) loses(3)
    expect(limits.learned('a')).toBe(1)
  })
  afterEach(() => {
    db.close()
    rmSync(dir, { recursive: true })
  })

  it('keeps what it learned for seven days, without the address of the device', () => {
    wallS += 3 * 86_400
    restart()
    declare()
    expect(limits.learned('A.')).toBe(1)
    atS += 4 * 86_400
    expect(limits.learned('a')).toBeNull()
    const stored = db.prepare('SELECT host_limits FROM outbox').pluck().get()
    expect(stored).toMatch(/^\[{"h":"[0-9a-f]{64}","n":1,"em":\d+}\]$/)
  })

  it('forgets it with the cameras of the host, and while the clock is ahead', () => {
    wallS += 8 * 86_400
    restart()
    declare()
    expect(limits.learned('a')).toBeNull()
    wallS -= 8 * 86_400
    restart()
    declare()
    expect(limits.learned('a')).toBe(1)
    limits.declare([])
    restart()
    declare()
    expect(limits.learned('a')).toBeNull()
  })

  it('bounds the number of hosts', () => {
    const store = createHostLimitStore(db, () => wallS * 1000, log)
    const hosts = Array.from({ length: MOST_HOSTS + 1 }, (_, n) => ({ host: `h${n}`, connections: 2, ageMs: n }))
    store.save(hosts)
    const again = createHostLimitStore(db, () => wallS * 1000, log)
    expect(hosts.filter(({ host }) => again.load(host) !== null)).toHaveLength(MOST_HOSTS)
    expect(again.load(`h${MOST_HOSTS}`)).toBeNull()
  })
})
