import type { Box } from '@vigia/ias/geometry'
import { type Actor, createRandom, type Path, playScene, type Random, type SceneFrame } from './scenes.ts'

/** A person in a 16:9 picture. */
const PERSON = { rotulo: 'person', aspect: 0.23 } as const
const CAR = { rotulo: 'car', aspect: 1.3 } as const
const BAG = { rotulo: 'backpack', aspect: 0.5 } as const

/** A steady walk between two times; absent before and after. */
const walk =
  (from: readonly [number, number], to: readonly [number, number], h: number, begin: number, end: number): Path =>
  (s) => {
    const part = (s - begin) / (end - begin)
    if (part < 0 || part > 1) return null
    return { x: from[0] + (to[0] - from[0]) * part, y: from[1] + (to[1] - from[1]) * part, h }
  }

const stand =
  (x: number, y: number, h: number): Path =>
  () => ({ x, y, h })

/** Endless walk between random points, with rests. */
function stroll(random: Random, h: number): Path {
  const stops: { at: number; x: number; y: number }[] = []
  let at = 0
  let [x, y] = [random(), 0.4 + random() * 0.5]
  while (at < 120) {
    stops.push({ at, x, y })
    if (random() < 0.4) {
      at += 1 + random() * 6
      stops.push({ at, x, y })
    }
    const [nextX, nextY] = [0.05 + random() * 0.9, 0.4 + random() * 0.55]
    // A person walks about one height a second.
    at += Math.hypot((nextX - x) * 1.8, nextY - y) / h
    x = nextX
    y = nextY
  }
  return (s) => {
    const next = stops.findIndex((stop) => stop.at > s)
    const [a, b] = [stops[next - 1], stops[next]]
    if (!a || !b) return null
    const part = (s - a.at) / (b.at - a.at)
    return { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part, h }
  }
}

const TYPICAL = { fps: 5, seconds: 30, jitter: 0.03, missed: 0.05, noise: 0.1 }

export interface Story {
  readonly name: string
  readonly play: (seed: number) => SceneFrame[]
}

const story = (
  name: string,
  cast: (random: Random) => { readonly actors: Actor[]; readonly columns?: Box[] },
  options: Partial<typeof TYPICAL> = {},
): Story => ({
  name,
  play: (seed) => {
    const { actors, columns = [] } = cast(createRandom(seed * 7919))
    return playScene(actors, columns, { ...TYPICAL, ...options, seed })
  },
})

const person = (path: Path): Actor => ({ ...PERSON, path })

/** Consecutive pairs that meet in the middle at all angles. */
function meetings(random: Random) {
  const actors = Array.from({ length: 6 }, (_, pair) => {
    const begin = pair * 4
    const [angle, h] = [random() * Math.PI, 0.15 + random() * 0.15]
    const [dx, dy] = [Math.cos(angle) * 0.35, Math.sin(angle) * 0.2]
    const low = (random() - 0.5) * 0.04
    return [
      person(walk([0.5 - dx, 0.6 - dy], [0.5 + dx, 0.6 + dy], h, begin, begin + 5)),
      person(walk([0.5 + dx, 0.6 + dy + low], [0.5 - dx, 0.6 - dy + low], h, begin, begin + 5)),
    ]
  }).flat()
  return { actors }
}

/** Consecutive people behind a column that hides each for three seconds. */
function column(random: Random) {
  const actors = Array.from({ length: 5 }, (_, index) => {
    const h = 0.2 + random() * 0.05
    // At 0.06 a second the column, less the width of the person, takes three seconds.
    const y = 0.6 + random() * 0.2
    return person(walk([0.1, y], [0.9, y], h, index * 4, index * 4 + 0.8 / 0.06))
  })
  return { actors, columns: [{ x: 0.4, y: 0, w: 0.18 + 0.045, h: 1 }] }
}

/** Parked cars and a bag, with people who pass and linger before them. */
function parked(random: Random) {
  const still: Actor[] = [
    { ...CAR, path: stand(0.25, 0.5, 0.12) },
    { ...CAR, path: stand(0.5, 0.5, 0.12) },
    { ...BAG, path: stand(0.75, 0.62, 0.06) },
    person(stand(0.85, 0.55, 0.2)),
  ]
  const passers = Array.from({ length: 6 }, (_, index) => {
    const [from, to] = index % 2 ? [1.02, -0.02] : [-0.02, 1.02]
    const y = 0.56 + random() * 0.12
    const begin = index * 8 + random() * 4
    return person(walk([from, y], [to, y], 0.24 + random() * 0.1, begin, begin + 7 + random() * 5))
  })
  // A person stops before the bag for twelve seconds.
  const lingers: Path = (s) => (s < 20 || s > 32 ? null : { x: 0.75, y: 0.68, h: 0.3 })
  return { actors: [...still, ...passers, person(lingers)] }
}

/** People who approach the camera and grow in the picture. */
function growing(random: Random) {
  const actors = Array.from({ length: 6 }, (_, index): Actor => {
    const begin = index * 4
    const lane = 0.15 + 0.14 * index + random() * 0.05
    return person((s) => {
      const part = (s - begin) / 8
      if (part < 0 || part > 1) return null
      const h = 0.06 / (1 - 0.88 * part)
      return { x: lane + (lane - 0.5) * part, y: 0.3 + h, h }
    })
  })
  return { actors }
}

const crowd = (count: number) => (random: Random) => ({
  actors: Array.from({ length: count }, () => person(stroll(random, 0.12 + random() * 0.12))),
})

const runners = (random: Random) => ({
  actors: Array.from({ length: 8 }, (_, index) => {
    const [from, to] = index % 2 ? [1.02, -0.02] : [-0.02, 1.02]
    const [y, h] = [0.4 + random() * 0.5, 0.15 + random() * 0.1]
    // Three heights a second: five metres.
    return person(walk([from, y], [to, y], h, index * 3, index * 3 + (1.04 * 1.8) / (3 * h)))
  }),
})

export const stories: readonly Story[] = [
  story('people who meet', meetings),
  story('people who meet, 2 a second', meetings, { fps: 2 }),
  story('three seconds behind a column', column),
  story('parked cars, a bag, passers-by', parked, { seconds: 55, missed: 0.1 }),
  story('small people who come near', growing),
  story('ten people who stroll', crowd(10)),
  story('ten people who stroll, 2 a second', crowd(10), { fps: 2 }),
  story('ten people who stroll, shaky boxes', crowd(10), { jitter: 0.1, missed: 0.15 }),
  story('ten people who stroll, noise', crowd(10), { noise: 3 }),
  story('runners', runners),
]
