import { beforeEach, describe, expect, it } from 'vitest'
import { BEGIN_MS, createQuedaTracker, END_MS, type Open, type Seen } from './queda-tracker.ts'

const T0 = 1_790_000_000_000
let tracker: ReturnType<typeof createQuedaTracker<string>>
let at: number
/** What was returned is taken for written, as the database would. */
let open: Map<string, Open>
beforeEach(() => {
  tracker = createQuedaTracker()
  at = 0
  open = new Map()
})

const online: Seen = { online: true, motivo: '', lastSign: T0 }
const offline = (motivo = 'video_parado', lastSign: number | null = T0): Seen => ({ online: false, motivo, lastSign })

/** One look a second for `seconds`; the changes, with the second (since the beginning of the test) of the look. */
function looks(seconds: number, seen: Record<string, Seen>, { mayBegin = true, stepMs = 1000, wall = 0 } = {}) {
  const found: Record<string, unknown>[] = []
  for (let i = 0; i < seconds; i += 1) {
    at += stepMs
    const now = T0 + at + wall
    for (const { key, ...change } of tracker.look({ seen: new Map(Object.entries(seen)), open, now, at, mayBegin })) {
      found.push({ at: at / 1000, key, ...change })
      if (change.tipo === 'fim') open.delete(key)
      else open.set(key, change)
    }
  }
  return found
}

describe('an outage', () => {
  it('begins after 30 s without a break, at the last sign of life, and ends after 15 s online, when it came back', () => {
    looks(10, { a: online })
    expect(looks(30, { a: offline('sem_video', T0 + 9_000) })).toEqual([])
    expect(looks(100, { a: offline('sem_video', T0 + 9_000) })).toEqual([
      { at: 41, key: 'a', tipo: 'inicio', inicio: T0 + 9_000, motivo: 'sem_video' },
    ])
    expect(looks(15, { a: online })).toEqual([])
    expect(looks(15, { a: online })).toEqual([{ at: 156, key: 'a', tipo: 'fim', fim: T0 + 141_000, voltou: true }])
    expect([BEGIN_MS, END_MS]).toEqual([30_000, 15_000])
  })

  it('is none when it comes and goes, and one when it only seems to end', () => {
    for (let i = 0; i < 20; i += 1) {
      expect(looks(29, { a: offline() })).toEqual([])
      expect(looks(1, { a: online })).toEqual([])
    }
    expect(looks(31, { a: offline() })).toHaveLength(1)
    for (let i = 0; i < 20; i += 1) {
      expect(looks(14, { a: online })).toEqual([])
      expect(looks(1, { a: offline() })).toEqual([])
    }
  })

  it('is each one’s own', () => {
    looks(1, { a: online, b: online })
    expect(looks(31, { a: offline(), b: online })).toMatchObject([{ key: 'a', tipo: 'inicio' }])
    expect(looks(40, { a: offline(), b: offline() })).toMatchObject([{ key: 'b', tipo: 'inicio' }])
  })

  it('that was not written is proposed again', () => {
    looks(1, { a: online })
    const forgetful = () => {
      const found = looks(1, { a: offline() })
      open.clear()
      return found.length
    }
    const counts = Array.from({ length: 33 }, forgetful)
    expect(counts.slice(-3)).toEqual([1, 1, 1])
    expect(counts.slice(0, 30)).toEqual(Array(30).fill(0))
  })

  it('of what is switched off or gone ends there and then, and did not come back', () => {
    looks(40, { a: offline() })
    expect(open.has('a')).toBe(true)
    expect(looks(1, {})).toEqual([{ at: 41, key: 'a', tipo: 'fim', fim: T0 + 41_000, voltou: false }])
    expect(looks(60, {})).toEqual([])
  })

  it('of what came into view offline begins with that, however old its last sign of life', () => {
    looks(5, {})
    const week = T0 - 7 * 86_400_000
    expect(looks(40, { a: offline('sem_video', week), b: offline('sem_video', null) })).toMatchObject([
      { key: 'a', tipo: 'inicio', inicio: T0 + 6_000 },
      { key: 'b', tipo: 'inicio', inicio: T0 + 6_000 },
    ])
  })

  it('of a clock that was set back does not begin in the future', () => {
    looks(1, { a: online })
    const [begun] = looks(31, { a: offline('sem_video', T0 + 500) }, { wall: -3_600_000 })
    expect(begun).toMatchObject({ tipo: 'inicio', inicio: T0 + 32_000 - 3_600_000 })
  })
})

describe('the cloud’s own absence', () => {
  it('begins none while it may not', () => {
    expect(looks(59, { a: offline() }, { mayBegin: false })).toEqual([])
    expect(looks(1, { a: offline() })).toMatchObject([{ key: 'a', tipo: 'inicio' }])
  })

  it('counts for little, when nobody looked for an hour', () => {
    looks(1, { a: online })
    expect(looks(5, { a: offline() })).toEqual([])
    expect(looks(1, { a: offline() }, { stepMs: 3_600_000 })).toEqual([])
    expect(looks(1, { a: online })).toEqual([])
  })

  it('leaves what went on before: it goes on, or ends by what is seen', () => {
    open = new Map([
      ['a', { motivo: 'sem_video' }],
      ['b', { motivo: 'sem_video' }],
      ['c', { motivo: 'sem_video' }],
    ])
    expect(looks(100, { a: offline(), b: online }, { mayBegin: false })).toEqual([
      { at: 1, key: 'c', tipo: 'fim', fim: T0 + 1_000, voltou: false },
      { at: 16, key: 'b', tipo: 'fim', fim: T0 + 1_000, voltou: true },
    ])
  })
})

describe('a camera that went with its box', () => {
  beforeEach(() => {
    looks(1, { a: online })
    looks(31, { a: offline('edge_offline') })
  })

  it('has its own outage once the box is back and the camera is not, after 30 s', () => {
    expect(looks(29, { a: offline('senha_recusada') })).toEqual([])
    looks(1, { a: offline('edge_offline') })
    expect(looks(100, { a: offline('senha_recusada') })).toMatchObject([{ tipo: 'motivo', motivo: 'senha_recusada' }])
    expect(looks(40, { a: offline('edge_offline') })).toEqual([])
  })

  it('and comes back with it has had one outage', () => {
    looks(5, { a: offline('conectando') })
    expect(looks(30, { a: online })).toMatchObject([{ tipo: 'fim', voltou: true }])
  })
})
