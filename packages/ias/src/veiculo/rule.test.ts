import { describe, expect, it } from 'vitest'
import type { Box, Point } from '../geometry.ts'
import type { AnalysisConfig } from '../observation.ts'
import { ALERTED } from '../stored-keys.ts'
import { createScene, type Scene, sceneConfig, seen, standing, wayOf } from '../test-scene.ts'

const lowerHalf = [[0, 0.5, 1, 0.5, 1, 1, 0, 1]]
const config = (limits: Record<string, number> = {}, rest: Partial<AnalysisConfig> = {}): AnalysisConfig =>
  sceneConfig('veiculo', limits, { zonas: lowerHalf, ...rest })
const at = (x: number, y: number): Box => standing({ x, y }, 0.2, 0.15)
const car = (id: number, box: Box, rest = {}) => seen(id, 'car', box, rest)
const parked = (id: number, box: Box = at(0.5, 0.8), rest = {}) => car(id, box, { motion: 0, stillMs: 60_000, ...rest })
const drive = (scene: Scene, id: number, from: Point, to: Point, steps = 20) =>
  wayOf(from, to, steps).flatMap(({ x, y }) => scene.show(car(id, at(x, y))))

describe('a vehicle in the zone', () => {
  it('fires once while it drives in, parks, and drives off', () => {
    const scene = createScene(config())
    const fired = drive(scene, 1, { x: 0.5, y: 0.3 }, { x: 0.5, y: 0.8 })
    expect(fired).toMatchObject([
      { ia: 'veiculo', trackIds: [1], zona: 0, rotulos: ['car'], confianca: 0.8, detalhes: {} },
    ])
    expect(scene.hold(600, parked(1))).toEqual([])
    expect(drive(scene, 1, { x: 0.5, y: 0.8 }, { x: 0.5, y: 0.3 })).toEqual([])
  })

  it('fires for a vehicle that was there at the start, although it never moved', () => {
    expect(createScene(config()).hold(600, parked(1))).toHaveLength(1)
  })

  it.each([
    ['drives by outside', at(0.5, 0.4), {}],
    ['too little confidence', at(0.5, 0.8), { confianca: 0.4 }],
    ['too small', standing({ x: 0.5, y: 0.8 }, 0.03, 0.03), {}],
    ['over most of the frame', { x: 0, y: 0, w: 0.86, h: 0.99 }, {}],
    ['a person', at(0.5, 0.8), { rotulo: 'person' }],
    ['only two consecutive frames', at(0.5, 0.8), { hits: 2 }],
    ['only predicted', at(0.5, 0.8), { predicted: true }],
  ])('raises no event: %s', (_, box, rest) => {
    expect(createScene(config()).hold(30, car(1, box, rest))).toEqual([])
  })

  it('counts once when it is detected twice, as a car and as a truck', () => {
    const twice = [parked(1), seen(2, 'truck', { ...at(0.5, 0.8), w: 0.21 })]
    expect(createScene(config()).hold(30, ...twice)).toHaveLength(1)
  })

  it('fires for each of two vehicles side by side', () => {
    expect(createScene(config()).hold(30, parked(1), parked(2, at(0.72, 0.8)))).toHaveLength(2)
  })

  it('fires again after more than a minute outside, but not after turning there', () => {
    const scene = createScene(config())
    const [inside, outside] = [
      { x: 0.5, y: 0.8 },
      { x: 0.5, y: 0.3 },
    ]
    expect(drive(scene, 1, outside, inside)).toHaveLength(1)
    drive(scene, 1, inside, outside)
    scene.hold(20, car(1, at(0.5, 0.3)))
    expect(drive(scene, 1, outside, inside)).toEqual([])
    drive(scene, 1, inside, outside)
    scene.hold(65, car(1, at(0.5, 0.3)))
    expect(drive(scene, 1, outside, inside)).toHaveLength(1)
  })

  it('waits for the end of the cooldown', () => {
    const scene = createScene(config({ resfriamento_s: 30 }))
    const both = [parked(1), parked(2, at(0.8, 0.8))]
    expect(scene.hold(10, ...both)).toHaveLength(1)
    expect(scene.analysis.promising()).toEqual([2])
    expect(scene.hold(30, ...both)).toMatchObject([{ trackIds: [2] }])
  })
})

describe('a parked vehicle stays alerted', () => {
  it('through a day with gaps, changes of track and jitter', () => {
    const scene = createScene(config())
    expect(scene.hold(15, parked(1))).toHaveLength(1)
    for (let hour = 0; hour < 24; hour++) {
      const shaky = at(0.5 + 0.01 * Math.sin(hour), 0.8 + 0.01 * Math.cos(hour))
      expect(scene.hold(20, parked(2 + hour, shaky)), `hour ${hour}`).toEqual([])
      scene.skip(3580)
    }
  })

  it('through a night without detections, with a restart', () => {
    const scene = createScene(config())
    scene.hold(15, parked(1))
    for (let i = 0; i < 100; i++) {
      scene.show()
      scene.skip(180)
    }
    const morning = scene.restart(4 * 3600)
    expect(morning.hold(60, parked(1))).toEqual([])
    expect(morning.restart(60).hold(60, parked(1))).toEqual([])
  })

  it('when at first only a part of it is detected again', () => {
    const scene = createScene(config())
    scene.hold(15, parked(1))
    scene.hold(300)
    expect(scene.hold(5, parked(2, { x: 0.42, y: 0.7, w: 0.09, h: 0.1 }))).toEqual([])
    expect(scene.hold(60, parked(2))).toEqual([])
  })

  it('behind another passing vehicle', () => {
    const scene = createScene(config())
    scene.hold(15, parked(1))
    const fired = wayOf({ x: 0.1, y: 0.45 }, { x: 0.9, y: 0.45 }, 30).flatMap(({ x, y }) =>
      Math.abs(x - 0.5) < 0.2 ? scene.show(car(2, at(x, y))) : scene.show(car(2, at(x, y)), parked(x < 0.5 ? 1 : 3)),
    )
    expect(fired).toEqual([])
  })

  it('although its box leaves the zone for a while with lower confidence', () => {
    const scene = createScene(config())
    expect(scene.hold(15, parked(1, at(0.5, 0.51)))).toHaveLength(1)
    expect([scene.hold(120, parked(1, at(0.5, 0.47))), scene.hold(15, parked(1, at(0.5, 0.51)))].flat()).toEqual([])
  })

  it('but not when another vehicle takes its position', () => {
    const scene = createScene(config())
    scene.hold(15, parked(1))
    drive(scene, 1, { x: 0.5, y: 0.8 }, { x: 1.1, y: 0.8 })
    scene.hold(60)
    expect(drive(scene, 2, { x: 0.05, y: 0.3 }, { x: 0.5, y: 0.8 })).toHaveLength(1)
    drive(scene, 2, { x: 0.5, y: 0.8 }, { x: 1.1, y: 0.8 })
    scene.hold(60)
    expect(scene.hold(2, car(3, at(0.5, 0.8)))).toHaveLength(1)
  })

  it('until a day after its last detection', () => {
    const scene = createScene(config())
    scene.hold(15, parked(1))
    scene.skip(25 * 3600)
    expect(scene.hold(15, parked(2))).toHaveLength(1)
  })
})

it('a passing vehicle is recognised for half a minute only', () => {
  const scene = createScene(config())
  scene.hold(2, car(1, at(0.5, 0.8)))
  scene.hold(60)
  expect(scene.hold(2, car(2, at(0.5, 0.8)))).toHaveLength(1)
})

it.each([
  [null],
  ['x'],
  [{ v: 2 }],
  [{ v: 1, [ALERTED]: [null, { box: at(0.5, 0.8), vx: 0, vy: 0, seenAt: 0, data: {} }] }],
])('ignores an unreadable state: %o', (state) => {
  expect(createScene(config(), state).hold(5, parked(1))).toHaveLength(1)
})
