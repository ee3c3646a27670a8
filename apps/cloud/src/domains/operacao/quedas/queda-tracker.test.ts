import { beforeEach, describe, expect, it } from 'vitest'
import { BEGIN_MS, createQuedaTracker, END_MS, type Open, type Seen } from './queda-tracker.ts'

const T0 = 1_790_000_000_000
let tracker: ReturnType<typeof createQuedaTracker<string>>
let at: number
/** Returned changes count as written, like in the database. */
let open: Map<string, Open>
beforeEach(() => {
  tracker = createQuedaTracker()
  at = 0
  open = new Map()
})

const online: Seen = { online: true, motivo: '', lastSign: T0 }
const offline = (motivo = 'video_parado', lastSign: number | null = T0): Seen => ({ online: false, motivo, lastSign })

/**
 * Checks once a second for `seconds`. Returns the changes, each with the time of its check in seconds since the start
 * of the test.
 */
function check(seconds: number, seen: Record<string, Seen>, { mayBegin = true, stepMs = 1000, wall = 0 } = {}) {
  const found: Record<string, unknown>[] = []
  for (let i = 0; i < seconds; i += 1) {
    at += stepMs
    const now = T0 + at + wall
    for (const { key, ...change } of tracker.check({ seen: new Map(Object.entries(seen)), open, now, at, mayBegin })) {
      found.push({ at: at / 1000, key, ...change })
      if (change.tipo === 'fim') open.delete(key)
      else open.set(key, change)
    }
  }
  return found
}

describe('a queda', () => {
  it('begins after 30 s offline, at the last contact, and ends after 15 s online, at the return', () => {
    check(10, { a: online })
    expect(check(30, { a: offline('sem_video', T0 + 9_000) })).toEqual([])
    expect(check(100, { a: offline('sem_video', T0 + 9_000) })).toEqual([
      { at: 41, key: 'a', tipo: 'inicio', inicio: T0 + 9_000, motivo: 'sem_video' },
    ])
    expect(check(15, { a: online })).toEqual([])
    expect(check(15, { a: online })).toEqual([{ at: 156, key: 'a', tipo: 'fim', fim: T0 + 141_000, voltou: true }])
    expect([BEGIN_MS, END_MS]).toEqual([30_000, 15_000])
  })

  it('ignores short interruptions and continues through short returns', () => {
    for (let i = 0; i < 20; i += 1) {
      expect(check(29, { a: offline() })).toEqual([])
      expect(check(1, { a: online })).toEqual([])
    }
    expect(check(31, { a: offline() })).toHaveLength(1)
    for (let i = 0; i < 20; i += 1) {
      expect(check(14, { a: online })).toEqual([])
      expect(check(1, { a: offline() })).toEqual([])
    }
  })

  it('is independent for each key', () => {
    check(1, { a: online, b: online })
    expect(check(31, { a: offline(), b: online })).toMatchObject([{ key: 'a', tipo: 'inicio' }])
    expect(check(40, { a: offline(), b: offline() })).toMatchObject([{ key: 'b', tipo: 'inicio' }])
  })

  it('is proposed again if it was not written', () => {
    check(1, { a: online })
    const forgetful = () => {
      const found = check(1, { a: offline() })
      open.clear()
      return found.length
    }
    const counts = Array.from({ length: 33 }, forgetful)
    expect(counts.slice(-3)).toEqual([1, 1, 1])
    expect(counts.slice(0, 30)).toEqual(Array(30).fill(0))
  })

  it('ends at once for disabled or removed subjects, without a return', () => {
    check(40, { a: offline() })
    expect(open.has('a')).toBe(true)
    expect(check(1, {})).toEqual([{ at: 41, key: 'a', tipo: 'fim', fim: T0 + 41_000, voltou: false }])
    expect(check(60, {})).toEqual([])
  })

  it('begins at the first check of a new subject that is offline', () => {
    check(5, {})
    const week = T0 - 7 * 86_400_000
    expect(check(40, { a: offline('sem_video', week), b: offline('sem_video', null) })).toMatchObject([
      { key: 'a', tipo: 'inicio', inicio: T0 + 6_000 },
      { key: 'b', tipo: 'inicio', inicio: T0 + 6_000 },
    ])
  })

  it('never begins in the future after the clock was set back', () => {
    check(1, { a: online })
    const [begun] = check(31, { a: offline('sem_video', T0 + 500) }, { wall: -3_600_000 })
    expect(begun).toMatchObject({ tipo: 'inicio', inicio: T0 + 32_000 - 3_600_000 })
  })
})

describe('an absence of the cloud', () => {
  it('begins no queda while mayBegin is false', () => {
    expect(check(59, { a: offline() }, { mayBegin: false })).toEqual([])
    expect(check(1, { a: offline() })).toMatchObject([{ key: 'a', tipo: 'inicio' }])
  })

  it('counts an hour without checks as one short step', () => {
    check(1, { a: online })
    expect(check(5, { a: offline() })).toEqual([])
    expect(check(1, { a: offline() }, { stepMs: 3_600_000 })).toEqual([])
    expect(check(1, { a: online })).toEqual([])
  })

  it('continues or ends open quedas by their state afterwards', () => {
    open = new Map([
      ['a', { motivo: 'sem_video' }],
      ['b', { motivo: 'sem_video' }],
      ['c', { motivo: 'sem_video' }],
    ])
    expect(check(100, { a: offline(), b: online }, { mayBegin: false })).toEqual([
      { at: 1, key: 'c', tipo: 'fim', fim: T0 + 1_000, voltou: false },
      { at: 16, key: 'b', tipo: 'fim', fim: T0 + 1_000, voltou: true },
    ])
  })
})

describe('a camera that is offline because of its edge', () => {
  beforeEach(() => {
    check(1, { a: online })
    check(31, { a: offline('edge_offline') })
  })

  it('has a queda of its own 30 s after the edge is online again without it', () => {
    expect(check(29, { a: offline('senha_recusada') })).toEqual([])
    check(1, { a: offline('edge_offline') })
    expect(check(100, { a: offline('senha_recusada') })).toMatchObject([{ tipo: 'motivo', motivo: 'senha_recusada' }])
    expect(check(40, { a: offline('edge_offline') })).toEqual([])
  })

  it('has no queda of its own if it returns with the edge', () => {
    check(5, { a: offline('conectando') })
    expect(check(30, { a: online })).toMatchObject([{ tipo: 'fim', voltou: true }])
  })
})
