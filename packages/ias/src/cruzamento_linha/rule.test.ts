import { describe, expect, it } from 'vitest'
import type { Box, Point } from '../geometry.ts'
import type { AnalysisConfig, Fired } from '../observation.ts'
import { createRandom, createScene, sceneConfig, seen, standing, wayOf } from '../test-scene.ts'

const at = (x: number, y: number): Point => ({ x, y })
/** Horizontal, pointing right: left of the arrow is above it. Both ends lie inside the picture. */
const right = [
  [0.2, 0.5],
  [0.8, 0.5],
]
const config = (limits: Record<string, number> = {}, linha: number[][] = right): AnalysisConfig =>
  sceneConfig('cruzamento_linha', limits, { linha })

const ways = (fired: readonly Fired[]) => fired.map(({ detalhes }) => detalhes.direcao)

/** The events of one person who walks along these foot points. */
function walk(feet: readonly Point[], settings = config(), rotulo = 'person', box: (foot: Point) => Box = standing) {
  const scene = createScene(settings)
  return ways(feet.flatMap((foot, index) => scene.show(seen(1, rotulo, box(foot), { hits: index + 1 }))))
}

describe('the direction ab is from left to right of the arrow in the picture', () => {
  const cases: [name: string, linha: number[][], left: Point, right: Point][] = [
    [
      'the arrow points right: left is above',
      [
        [0.2, 0.5],
        [0.8, 0.5],
      ],
      at(0.5, 0.35),
      at(0.5, 0.65),
    ],
    [
      'the arrow points left: left is below',
      [
        [0.8, 0.5],
        [0.2, 0.5],
      ],
      at(0.5, 0.65),
      at(0.5, 0.35),
    ],
    ['the arrow points down: left is on the right', [[0.5, 0.2, 0.5, 0.9]], at(0.6, 0.6), at(0.4, 0.6)],
    ['the arrow points up: left is on the left', [[0.5, 0.9, 0.5, 0.2]], at(0.4, 0.6), at(0.6, 0.6)],
    [
      'down to the right',
      [
        [0.2, 0.2],
        [0.8, 0.8],
      ],
      at(0.6, 0.4),
      at(0.4, 0.6),
    ],
    [
      'up to the left',
      [
        [0.8, 0.8],
        [0.2, 0.2],
      ],
      at(0.4, 0.6),
      at(0.6, 0.4),
    ],
    [
      'up to the right',
      [
        [0.2, 0.8],
        [0.8, 0.2],
      ],
      at(0.4, 0.4),
      at(0.6, 0.6),
    ],
    [
      'down to the left',
      [
        [0.8, 0.2],
        [0.2, 0.8],
      ],
      at(0.6, 0.6),
      at(0.4, 0.4),
    ],
  ]

  it.each(cases)('%s', (_, linha, leftOf, rightOf) => {
    const there = wayOf(leftOf, rightOf, 12)
    expect(walk(there, config({}, linha))).toEqual(['ab'])
    expect(walk([...there].reverse(), config({}, linha))).toEqual(['ba'])
    expect(walk([...there, ...[...there].reverse()], config({ direcao: 1 }, linha))).toEqual(['ab'])
    expect(walk([...there, ...[...there].reverse()], config({ direcao: 2 }, linha))).toEqual(['ba'])
  })
})

describe('a crossing', () => {
  const over = wayOf(at(0.5, 0.4), at(0.5, 0.6), 11)

  it('names who crossed', () => {
    const scene = createScene(config())
    const fired = over.flatMap((foot) => scene.show(seen(7, 'bicycle', standing(foot))))
    expect(fired).toMatchObject([
      {
        ia: 'cruzamento_linha',
        trackIds: [7],
        rotulos: ['bicycle'],
        confianca: 0.8,
        zona: null,
        detalhes: { direcao: 'ab' },
      },
    ])
    expect(fired[0]?.caixas).toHaveLength(1)
  })

  it.each<[string, Point[], string[]]>([
    ['slowly, a minute long', wayOf(at(0.5, 0.4), at(0.5, 0.6), 300), ['ab']],
    [
      'with a stop of a minute on the line',
      [...over.slice(0, 6), ...over.slice(5, 6).flatMap((p) => Array(300).fill(p)), ...over.slice(6)],
      ['ab'],
    ],
    ['stops on the line and goes back', [...over.slice(0, 6), ...[...over.slice(0, 6)].reverse()], []],
    [
      'steps a little beyond and goes back',
      [...over.slice(0, 6), at(0.5, 0.515), at(0.5, 0.515), ...[...over.slice(0, 6)].reverse()],
      [],
    ],
    ['crosses, turns round, crosses back', [...over, ...[...over].reverse()], ['ab', 'ba']],
    [
      'is found beyond it in a single frame',
      [...Array(20).fill(at(0.5, 0.45)), at(0.5, 0.55), ...Array(20).fill(at(0.5, 0.45))],
      [],
    ],
    ['walks along it, on it', wayOf(at(0.1, 0.5), at(0.9, 0.505), 80), []],
    ['walks beside it', wayOf(at(0.1, 0.45), at(0.9, 0.45), 40), []],
    ['passes its end', wayOf(at(0.1, 0.4), at(0.1, 0.6), 12), []],
    [
      'goes round its end and crosses it on the way back',
      [...wayOf(at(0.1, 0.4), at(0.1, 0.6), 12), ...wayOf(at(0.1, 0.6), at(0.5, 0.6), 12), ...[...over].reverse()],
      ['ba'],
    ],
    ['crosses slantwise near its end', wayOf(at(0.15, 0.45), at(0.35, 0.6), 12), ['ab']],
    ['appears right beyond it', wayOf(at(0.5, 0.51), at(0.5, 0.7), 12), []],
    ['begins on it and steps off', [at(0.5, 0.497), at(0.5, 0.503), ...wayOf(at(0.5, 0.51), at(0.5, 0.7), 12)], []],
    ['has only three detections, running', [at(0.5, 0.3), at(0.5, 0.45), at(0.5, 0.66)], ['ab']],
    ['has three detections, the last just after the line', [at(0.5, 0.3), at(0.5, 0.4), at(0.5, 0.6)], ['ab']],
  ])('%s', (_, feet, expected) => {
    expect(walk(feet)).toEqual(expected)
  })

  it('does not arise from jitter on the line, and is not repeated by it', () => {
    const random = createRandom(3)
    const shake = ({ x, y }: Point) => at(x + (random() - 0.5) * 0.015, y + (random() - 0.5) * 0.03)
    expect(walk(Array.from({ length: 3000 }, () => shake(at(0.5, 0.5))))).toEqual([])
    expect(walk(wayOf(at(0.5, 0.4), at(0.5, 0.6), 200).map(shake))).toEqual(['ab'])
  })

  it('is detected when the track is interrupted at the line', () => {
    const scene = createScene(config())
    const fired = over.flatMap((foot, index) =>
      scene.show(
        seen(1, 'person', standing(foot), {
          predicted: index > 3 && index < 8,
          hits: index > 3 && index < 8 ? 0 : index,
        }),
      ),
    )
    expect(ways(fired)).toEqual(['ab'])
  })

  it('ignores predicted boxes', () => {
    const scene = createScene(config())
    const before = [...Array(10).fill(at(0.5, 0.45))] as Point[]
    const guesses = wayOf(at(0.5, 0.48), at(0.5, 0.7), 8)
    const fired = [
      ...before.flatMap((foot) => scene.show(seen(1, 'person', standing(foot)))),
      ...guesses.flatMap((foot) => scene.show(seen(1, 'person', standing(foot), { predicted: true }))),
      ...before.flatMap((foot) => scene.show(seen(1, 'person', standing(foot)))),
    ]
    expect(fired).toEqual([])
  })

  it('extends a line that ends at the border beyond the picture', () => {
    const toBorder = [[0.5, 0.3, 0.5, 0.995]]
    expect(walk(wayOf(at(0.4, 1.05), at(0.6, 1.05), 12), config({}, toBorder))).toEqual(['ba'])
  })

  it('never fires without a line, and needs no inference then', () => {
    expect(walk(over, config({}, []))).toEqual([])
    expect(createScene(config({}, [])).analysis.armed(0)).toBe(false)
    expect(createScene(config()).analysis.armed(0)).toBe(true)
  })

  it.each([
    ['too little confidence', { confianca: 0.4 }],
    ['too small', { box: { x: 0.5, y: 0.5, w: 0.01, h: 0.05 } }],
    ['too few consecutive frames', { hits: 2 }],
    ['a label that does not count', { rotulo: 'dog' }],
  ])('raises no event: %s', (_, rest) => {
    const scene = createScene(config())
    const fired = over.flatMap((foot) => {
      const track = seen(1, 'person', standing(foot), rest)
      return scene.show('box' in rest ? { ...track, box: standing(foot, rest.box.w, rest.box.h) } : track)
    })
    expect(fired).toEqual([])
  })

  it('needs a confident detection on each side of the line', () => {
    const confident = (where: (foot: Point) => boolean) => {
      const scene = createScene(config())
      return over.flatMap((foot) =>
        scene.show(seen(1, 'person', standing(foot), { confianca: where(foot) ? 0.6 : 0.2 })),
      )
    }
    expect(confident((foot) => foot.y < 0.45 || foot.y > 0.57)).toMatchObject([{ confianca: 0.6 }])
    expect(confident((foot) => foot.y < 0.5)).toEqual([])
    expect(confident((foot) => foot.y > 0.5)).toEqual([])
  })

  it('waits at most two seconds for the confident detection beyond the line', () => {
    const scene = createScene(config())
    const weak = over.flatMap((foot) =>
      scene.show(seen(1, 'person', standing(foot), { confianca: foot.y < 0.5 ? 0.6 : 0.2 })),
    )
    expect([...weak, ...scene.hold(3, seen(1, 'person', standing(at(0.5, 0.6)), { confianca: 0.2 }))]).toEqual([])
    expect(scene.hold(3, seen(1, 'person', standing(at(0.5, 0.6))))).toEqual([])
  })
})

describe('vehicles that the border of the picture cuts off', () => {
  const car = (foot: Point) => standing(foot, 0.4, 0.2)
  const cut = ({ x, y, w, h }: Box): Box => {
    const [l, t] = [Math.max(0, x), Math.max(0, y)]
    return { x: l, y: t, w: Math.min(1, x + w) - l, h: Math.min(1, y + h) - t }
  }
  const near = [[0.9, 0.1, 0.9, 0.99]]

  it('crosses a line near the border with the middle of the whole vehicle, not of its visible part', () => {
    const feet = wayOf(at(0.4, 0.6), at(1.15, 0.6), 40)
    const scene = createScene(config({}, near))
    const index = feet.findIndex((foot) => scene.show(seen(1, 'car', cut(car(foot)))).length > 0)
    expect(feet[index]?.x).toBeGreaterThan(0.95)
    expect(feet[index]?.x).toBeLessThan(1.08)
  })

  it('does not cross when the cut-off part of a standing vehicle varies', () => {
    const feet = Array.from({ length: 200 }, (_, i) => at(0.86 + 0.02 * Math.sin(i / 3), 0.6))
    const uncut = wayOf(at(0.4, 0.6), at(0.86, 0.6), 10)
    expect(walk([...uncut, ...feet], config({}, near), 'car', (foot) => cut(car(foot)))).toEqual([])
  })

  it('counts a vehicle from the bottom to the top once, at a line in the middle', () => {
    const feet = wayOf(at(0.5, 1.3), at(0.5, 0.05), 40)
    const box = (foot: Point) => cut(standing(foot, 0.2, 0.6))
    expect(walk(feet.slice(2), config(), 'car', box)).toEqual(['ba'])
    expect(walk([...feet].reverse().slice(2), config(), 'car', box)).toEqual(['ab'])
  })

  it('counts a person who leaves at the bottom over a line just above it', () => {
    const feet = wayOf(at(0.5, 0.8), at(0.5, 1.15), 20)
    const low = [[0.1, 0.985, 0.9, 0.985]]
    expect(walk(feet, config({}, low), 'person', (foot) => cut(standing(foot)))).toEqual(['ab'])
  })

  it('counts a person who enters at the border once', () => {
    const feet = wayOf(at(1.25, 0.6), at(0.4, 0.6), 30)
    expect(walk(feet.slice(2), config({}, [[0.6, 0.1, 0.6, 0.99]]), 'car', (foot) => cut(car(foot)))).toEqual(['ab'])
  })
})

it.each([
  ['legs', 0.55, { h: 0.12 }],
  ['head and shoulders', 0.45, { y: 0.33, h: 0.12 }],
])('keeps the foot point of a person whose %s are hidden for a moment', (_, y, hidden) => {
  const scene = createScene(config())
  const whole = standing(at(0.5, y))
  scene.hold(3, seen(1, 'person', whole))
  expect(scene.hold(2, seen(1, 'person', { ...whole, ...hidden }))).toEqual([])
  expect(scene.hold(3, seen(1, 'person', whole))).toEqual([])
})

describe('the rule at several crossings', () => {
  const feet = wayOf(at(0.5, 0.4), at(0.5, 0.6), 11)
  const crowd = (count: number, foot: Point, first = 1) =>
    Array.from({ length: count }, (_, i) => seen(first + i, 'person', standing(at(0.3 + i * 0.1, foot.y))))

  it('raises one event each without a cooldown', () => {
    const scene = createScene(config())
    const fired = feet.flatMap((foot) => scene.show(...crowd(4, foot)))
    expect(fired.map(({ trackIds }) => trackIds)).toEqual([[1], [2], [3], [4]])
  })

  it('applies the cooldown to one object and one direction', () => {
    const scene = createScene(config({ resfriamento_s: 60 }))
    const back = [...feet].reverse()
    const walked = (way: readonly Point[], count: number) =>
      ways(way.flatMap((foot) => scene.show(...crowd(count, foot))))
    expect(walked(feet, 2)).toEqual(['ab', 'ab'])
    expect(walked(back, 2)).toEqual(['ba', 'ba'])
    expect(walked(feet, 3)).toEqual(['ab'])
    scene.hold(60, ...crowd(3, at(0.5, 0.6)))
    expect(walked(back, 3)).toEqual(['ba', 'ba', 'ba'])
  })

  it('raises one event for each of 20 people who cross within ten seconds', () => {
    const scene = createScene(config({ resfriamento_s: 1 }))
    const fired = Array.from({ length: 70 }, (_, frame) =>
      scene.show(
        ...Array.from({ length: 20 }, (_, i) => {
          const foot = at(0.22 + 0.028 * i, 0.4 + 0.02 * Math.min(10, Math.max(0, frame - 2 * i)))
          return seen(i + 1, 'person', standing(foot, 0.025, 0.1))
        }),
      ),
    ).flat()
    expect(fired.map(({ trackIds }) => trackIds[0]).toSorted((a = 0, b = 0) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    )
  })

  it('counts a rider with the bicycle, or a double detection, once, and two people side by side twice', () => {
    const rider = createScene(config())
    const fired = feet.flatMap((foot, i) =>
      rider.show(
        seen(1, 'person', standing(at(foot.x, foot.y - 0.05))),
        seen(2, 'bicycle', standing(at(0.5, feet[Math.max(0, i - 1)]?.y ?? 0), 0.09, 0.14)),
      ),
    )
    expect(fired).toHaveLength(1)
    const twice = createScene(config())
    const boxes = (foot: Point) => [seen(1, 'person', standing(foot)), seen(2, 'person', standing(foot, 0.065, 0.25))]
    expect(feet.flatMap((foot) => twice.show(...boxes(foot)))).toHaveLength(1)
    const pair = createScene(config())
    const both = (foot: Point) => [0, 0.04].map((dx, i) => seen(i + 1, 'person', standing(at(foot.x + dx, foot.y))))
    expect(feet.flatMap((foot) => pair.show(...both(foot)))).toHaveLength(2)
  })

  it('keeps pictures only of objects near the line', () => {
    const scene = createScene(config())
    scene.show(seen(1, 'person', standing(at(0.5, 0.45))), seen(2, 'person', standing(at(0.5, 0.95))))
    expect(scene.analysis.promising()).toEqual([1])
  })
})

describe('random walks', () => {
  /** Whether the segments p–q and a–b intersect, by the orientation of the four triples. */
  const intersect = (p: Point, q: Point, a: Point, b: Point) => {
    const turn = (u: Point, v: Point, w: Point) => Math.sign((v.x - u.x) * (w.y - u.y) - (v.y - u.y) * (w.x - u.x))
    return turn(p, q, a) !== turn(p, q, b) && turn(a, b, p) !== turn(a, b, q)
  }

  it('cross the line as often as their path intersects it, and in the same directions', () => {
    const random = createRandom(11)
    let crossings = 0
    for (let round = 0; round < 400; round++) {
      const [a, b] = [at(0.2 + 0.6 * random(), 0.2 + 0.6 * random()), at(0.2 + 0.6 * random(), 0.2 + 0.6 * random())]
      const left = (p: Point) => (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) < 0
      // Positions clearly on one side of the line, so that each intersection is a crossing: w = 0.02, h = 0.05.
      const clear = (p: Point) => {
        const [dx, dy] = [(b.x - a.x) / 0.02, (b.y - a.y) / 0.02]
        return Math.abs(dx * ((p.y - a.y) / 0.02) - dy * ((p.x - a.x) / 0.02)) / Math.hypot(dx, dy) > 0.8
      }
      const feet: Point[] = []
      while (feet.length < 60) {
        const foot = at(0.1 + 0.8 * random(), 0.2 + 0.75 * random())
        if (clear(foot)) feet.push(foot)
      }
      const expected = feet.slice(1).flatMap((foot, i) => {
        const before = feet[i] as Point
        return intersect(before, foot, a, b) && i >= 1 ? [left(before) ? 'ab' : 'ba'] : []
      })
      const found = walk(feet, config({ min_quadros: 1, area_min: 0 }, [[a.x, a.y, b.x, b.y]]), 'person', (foot) =>
        standing(foot, 0.02, 0.05),
      )
      const first = intersect(feet[0] as Point, feet[1] as Point, a, b) ? 1 : 0
      expect(found.slice(first), `round ${round}`).toEqual(expected)
      crossings += expected.length
    }
    expect(crossings).toBeGreaterThan(1000)
  })
})

it.each([[null], ['x'], [{ v: 2, firedAt: 1 }], [{ v: 1, firedAt: 'x' }]])(
  'ignores an unreadable state: %o',
  (state) => {
    const scene = createScene(config({ resfriamento_s: 3600 }), state)
    expect(
      wayOf(at(0.5, 0.4), at(0.5, 0.6), 11).flatMap((foot) => scene.show(seen(1, 'person', standing(foot)))),
    ).toHaveLength(1)
  },
)
