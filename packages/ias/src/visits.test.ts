import { describe, expect, it } from 'vitest'
import type { Box } from './geometry.ts'
import { readSavedVisits } from './saved-visits.ts'
import { START, seen } from './test-scene.ts'
import { createVisits, type Visits } from './visits.ts'

const BOX: Box = { x: 0.4, y: 0.4, w: 0.1, h: 0.2 }
const at = (x: number, rest: Partial<Box> = {}): Box => ({ ...BOX, x, ...rest })

/** Shows `boxes` as tracks 1, 2, … or with the ids given, `seconds` after the beginning. */
function show<Data extends object>(visits: Visits<Data>, seconds: number, tracks: Record<number, Box>) {
  const observed = Object.entries(tracks).map(([id, box]) => seen(Number(id), 'person', box))
  visits.observe(observed, START + seconds * 1000, seconds * 1000)
  return (id: number) => observed.find((track) => track.id === id) ?? seen(id, 'person', BOX)
}
const begun = <Data extends object>(visits: Visits<Data>, data: Data, seconds = 0, box = BOX) =>
  visits.begin(show(visits, seconds, { 1: box })(1), data, START + seconds * 1000, seconds * 1000)

describe('a visit', () => {
  it('keeps its data and gives the time between its last two detections', () => {
    const visits = createVisits<{ count: number }>()
    begun(visits, { count: 0 }).data.count++
    show(visits, 1, { 1: BOX })
    show(visits, 4, { 1: at(0.41) })
    expect(visits.of(1)).toMatchObject({ data: { count: 1 }, box: at(0.41), sinceBeforeMs: 3000 })
    expect(visits.beganAt(1)).toEqual(BOX)
    expect(visits.of(2)).toBeNull()
    expect(visits.beganAt(2)).toBeNull()
  })

  it('continues only with the nearest new track', () => {
    const visits = createVisits()
    const visit = begun(visits, {})
    show(visits, 4, { 2: at(0.55), 3: at(0.45) })
    expect([visits.of(2), visits.of(3)]).toEqual([null, visit])
  })

  it('returns to its older track when that is matched again, and never to the younger one', () => {
    const visits = createVisits<{ name: string }>()
    const tracks = show(visits, 0, { 1: BOX, 5: at(0.62) })
    const [a, b] = ['a', 'b'].map((name, i) => visits.begin(tracks(i === 0 ? 1 : 5), { name }, START, 0))
    const [hidden, other] = [seen(1, 'person', BOX, { predicted: true }), seen(5, 'person', at(0.62))]
    visits.observe([hidden, other, seen(3, 'person', at(0.45))], START + 200, 200)
    expect([visits.of(3), visits.of(5)]).toEqual([a, b])
    show(visits, 0.4, { 1: BOX, 3: at(0.5) })
    expect([visits.of(1), visits.of(3)]).toEqual([a, null])
  })

  it('does not continue with a person in other colours', () => {
    const [red, green] = [
      [1, 0],
      [0, 1],
    ]
    for (const [appearance, isOne] of [
      [red, true],
      [green, false],
      [undefined, true],
    ] as const) {
      const visits = createVisits()
      visits.begin(seen(1, 'person', BOX, { appearance: red }), {}, START, 0)
      visits.observe([seen(2, 'person', at(0.42), { appearance })], START + 2000, 2000)
      expect(visits.of(2) !== null).toBe(isOne)
    }
  })

  it('has ended if its person left, also if weak detections follow at the border', () => {
    const visits = createVisits()
    const leaves = (second: number): Box => at(Math.min(0.9, 0.6 + 0.3 * second))
    begun(visits, {}, 0, leaves(0))
    for (const second of [0.2, 0.4, 0.6, 0.8, 1]) show(visits, second, { 1: leaves(second) })
    for (const second of [1.2, 1.4, 1.6, 1.8]) {
      const ghost = seen(1, 'person', at(0.9 - 0.05 * second), { confianca: 0.16 })
      visits.observe([ghost], START + second * 1000, second * 1000)
    }
    show(visits, 3.5, { 2: at(0.7, { y: 0.8 }) })
    expect(visits.of(2)).toBeNull()
  })

  it('does not continue with a track that existed before', () => {
    const visits = createVisits()
    const tracks = show(visits, 0, { 1: BOX, 2: at(0.5) })
    visits.begin(tracks(1), {}, START, 0)
    show(visits, 1.2, { 1: BOX, 2: at(0.5) })
    show(visits, 2, { 2: at(0.5) })
    show(visits, 3, { 2: at(0.5) })
    expect(visits.of(2)).toBeNull()
  })

  it.each([
    ['a person after a long gap', 20, 0.35, false, true],
    ['a person after too long a gap', 40, 0.9, false, false],
    ['a settled object', 3000, 0.6, true, true],
    ['a settled object with too small an overlap', 3000, 0.4, true, false],
    ['a settled object after more than an hour', 4000, 0.9, true, false],
  ])('on the same spot: %s (%i s, overlap %f)', (_, gap, overlap, settled, expected) => {
    const visits = createVisits<{ settled: boolean }>({ sameSpotMs: (data) => (data.settled ? 3_600_000 : 30_000) })
    begun(visits, { settled })
    // Two boxes of one size, shifted by s widths, overlap by (1 - s) / (1 + s).
    show(visits, gap, { 2: at(0.4 + (0.1 * (1 - overlap)) / (1 + overlap)) })
    expect(visits.of(2) !== null).toBe(expected)
  })

  it('scales its vertical reach with the shape of the object', () => {
    const known = (heightInWidths: number) => {
      const visits = createVisits({ heightInWidths })
      begun(visits, {})
      show(visits, 1, { 2: at(0.4, { y: 0.78 }) })
      return visits.of(2) !== null
    }
    expect([known(1), known(2)]).toEqual([true, false])
  })

  it('stays with an older predicted track when the younger track that continued it ends', () => {
    const visits = createVisits<object>()
    const visit = begun(visits, {})
    const hidden = seen(1, 'person', BOX, { predicted: true })
    visits.observe([hidden, seen(2, 'person', at(0.42))], START + 200, 200)
    expect(visits.of(2)).toBe(visit)
    visits.observe([hidden], START + 400, 400)
    show(visits, 40, { 1: BOX })
    expect([...visits.all()]).toEqual([visit])
    expect(visits.of(1)).toBe(visit)
  })

  it('can be forgotten and begun again', () => {
    const visits = createVisits<{ name: string }>()
    visits.forget(begun(visits, { name: 'a' }))
    expect([visits.of(1), ...visits.all()]).toEqual([null])
    begun(visits, { name: 'b' }, 1)
    expect(visits.of(1)?.data.name).toBe('b')
  })
})

describe('a restored visit', () => {
  const GAP_S = 3
  /** Tracks in the left quarter of the frame confirm. */
  const restarted = (...names: readonly [name: string, x: number][]) =>
    createVisits<{ name: string }>({
      saved: names.map(([name, x]) => ({ box: at(x), vx: 0, vy: 0, seenAt: START - GAP_S * 1000, data: { name } })),
      confirms: ({ box }) => box.x < 0.25,
    })
  const names = (visits: Visits<{ name: string }>, ...ids: readonly number[]) =>
    ids.map((id) => visits.of(id)?.data.name ?? null)

  it('gives every matching track a provisional copy until one of them confirms', () => {
    const visits = restarted(['a', 0.1])
    for (let i = 0; i < 5; i++) show(visits, i / 5, { 1: at(0.3), 2: at(0.5), 3: at(0.95, { w: 0.03, h: 0.06 }) })
    expect(names(visits, 1, 2, 3)).toEqual(['a', 'a', null])
    show(visits, 1, { 1: at(0.3), 2: at(0.2) })
    expect(names(visits, 1, 2)).toEqual([null, 'a'])
    show(visits, 1.2, { 1: at(0.2), 2: at(0.2) })
    expect(names(visits, 1, 2)).toEqual([null, 'a'])
    expect([...visits.all()]).toHaveLength(1)
  })

  it('gives each track data of its own', () => {
    const visits = restarted(['a', 0.1])
    show(visits, 0, { 1: at(0.3), 2: at(0.5) })
    Object.assign(visits.of(1)?.data ?? {}, { name: 'b' })
    expect(names(visits, 1, 2)).toEqual(['b', 'a'])
  })

  it('belongs to the nearest track when several confirm at once', () => {
    const visits = restarted(['a', 0.1])
    show(visits, 0, { 1: at(0.24), 2: at(0.15) })
    expect(names(visits, 1, 2)).toEqual([null, 'a'])
  })

  it('belongs to the nearest track after ten seconds without confirmation, and is deleted without a track', () => {
    const visits = restarted(['a', 0.1])
    for (let i = 0; i <= 50; i++) show(visits, i / 5, { 1: at(0.5), 2: at(0.4) })
    expect(names(visits, 1, 2)).toEqual(['a', 'a'])
    show(visits, 10.2, { 1: at(0.5), 2: at(0.4) })
    expect(names(visits, 1, 2)).toEqual([null, 'a'])
    const alone = restarted(['a', 0.1])
    for (let i = 0; i <= 51; i++) show(alone, i / 5, {})
    expect([...alone.all()]).toEqual([])
  })

  it('matches different tracks with different visits where possible', () => {
    const visits = restarted(['a', 0.1], ['b', 0.9])
    show(visits, 0, { 1: at(0.5) })
    show(visits, 0.2, { 1: at(0.5), 2: at(0.48) })
    expect(names(visits, 1, 2).toSorted()).toEqual(['a', 'b'])
  })

  it('follows a provisional copy through a lost track', () => {
    const visits = restarted(['a', 0.1])
    for (let i = 0; i < 10; i++) show(visits, i / 5, { 1: at(0.4 - i / 50), 2: at(0.8) })
    for (let i = 0; i < 5; i++) show(visits, 2 + i / 5, { 2: at(0.8) })
    show(visits, 3, { 2: at(0.8), 3: at(0.2) })
    expect(names(visits, 2, 3)).toEqual([null, 'a'])
  })

  it('is decided within ten seconds, also after a gap of half a minute', () => {
    const box = at(0.5)
    const saved = [{ box, vx: 0, vy: 0, seenAt: START - 28_000, data: { name: 'a' } }]
    const visits = createVisits<{ name: string }>({ saved, confirms: () => false })
    for (let i = 0; i <= 49; i++) show(visits, i / 5, { 1: box })
    expect(visits.saved()).toEqual(saved)
    show(visits, 10.2, { 1: box })
    expect(visits.saved()).toMatchObject([{ box, seenAt: START + 10_200 }])
  })

  it.each([
    ['of a person reaches further', false, 'a'],
    ['of a settled object does not', true, null],
  ])('%s', (_, settled, name) => {
    const saved = [{ box: BOX, vx: 0, vy: 0, seenAt: START - 3_000, data: { name: 'a' } }]
    const visits = createVisits<{ name: string }>({ saved, sameSpotMs: () => (settled ? 3_600_000 : 30_000) })
    show(visits, 0, { 1: at(0.9) })
    expect(names(visits, 1)).toEqual([name])
  })

  it('is saved once and unchanged while it is undecided', () => {
    const visits = restarted(['a', 0.1])
    const before = visits.saved()
    show(visits, 0, { 1: at(0.4), 2: at(0.5) })
    expect(visits.saved()).toEqual(before)
    show(visits, 0.2, { 1: at(0.2), 2: at(0.5) })
    expect(visits.saved()).toMatchObject([{ box: at(0.2), data: { name: 'a' } }])
  })
})

describe('the speed of a new visit', () => {
  const speedOf = (from: Box, to: Box) => {
    const visits = createVisits()
    const trail = [-2_000, -800, -400].map((atMs, i) => ({ atMs, box: i === 0 ? at(0) : from }))
    visits.begin(seen(1, 'person', to, { trail }), {}, START, 0)
    const [{ vx, vy } = { vx: 0, vy: 0 }] = visits.saved()
    return [vx + 0, vy + 0]
  }

  it('comes from the last second of the trail', () => {
    expect(speedOf(at(0.5), at(0.42, { y: 0.44 }))).toEqual([-0.1, 0.05])
  })

  it('comes from the visible edge while the border cuts the box off', () => {
    expect(speedOf(at(0.96, { w: 0.04 }), at(0.9))).toEqual([-0.075, 0])
    expect(speedOf(at(0, { w: 0.04 }), at(0))).toEqual([0.075, 0])
    expect(speedOf(at(0.4, { y: 0.92, h: 0.08 }), at(0.4, { y: 0.84, h: 0.16 }))).toEqual([0, -0.1])
  })

  it('is zero without a trail', () => {
    const visits = createVisits()
    begun(visits, {})
    expect(visits.saved()).toMatchObject([{ vx: 0, vy: 0 }])
  })
})

it('keeps at most 300 visits and deletes those with the oldest detection first', () => {
  const visits = createVisits<{ id: number }>({ sameSpotMs: () => 86_400_000 })
  for (let id = 1; id <= 500; id++) {
    const box = at((id % 25) / 25, { y: Math.floor(id / 25) / 25, w: 0.01, h: 0.01 })
    const track = show(visits, id * 60, { 1000: at(0.5), [id]: box })
    if (id === 1) visits.begin(track(1000), { id: 1000 }, START, 60_000)
    visits.begin(track(id), { id }, START + id * 60_000, id * 60_000)
  }
  show(visits, 501 * 60, { 1000: at(0.5) })
  const ids = [...visits.all()].map(({ data }) => data.id)
  expect(ids).toHaveLength(300)
  expect(ids).toContain(1000)
  expect(Math.min(...ids)).toBe(202)
})

it('saves a copy of the data', () => {
  const visits = createVisits<{ count: number }>()
  const visit = begun(visits, { count: 1 })
  const [saved] = visits.saved()
  visit.data.count = 2
  expect(saved).toEqual({ box: BOX, vx: 0, vy: 0, seenAt: START, data: { count: 1 } })
})

it('reads the usable visits of a stored state', () => {
  const isCount = (data: unknown): data is { count: number } => Number.isFinite((data as { count?: unknown })?.count)
  const good = { box: BOX, vx: 0, vy: 0, seenAt: START, data: { count: 1 } }
  expect(readSavedVisits([good, null, { ...good, data: {} }, { ...good, box: { x: 1 } }], isCount)).toEqual([good])
  expect(readSavedVisits('x', isCount)).toBeNull()
})
