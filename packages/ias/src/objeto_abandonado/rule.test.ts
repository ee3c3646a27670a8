import { describe, expect, it } from 'vitest'
import type { Box, Point } from '../geometry.ts'
import type { AnalysisConfig } from '../observation.ts'
import { createRandom, createScene, type Scene, sceneConfig, seen, standing, wayOf } from '../test-scene.ts'

const config = (limits: Record<string, number> = {}, rest: Partial<AnalysisConfig> = {}): AnalysisConfig =>
  sceneConfig('objeto_abandonado', limits, rest)
/** A person is 0.08 wide and 0.3 high; within reach is 0.2 to the side, for the owner 0.4. */
const person = (id: number, x: number, y = 0.8, rest = {}) => seen(id, 'person', standing({ x, y }, 0.08, 0.3), rest)
const bagAt = (x: number, y = 0.8): Box => standing({ x, y }, 0.05, 0.07)
const bag = (id: number, box = bagAt(0.5), rest = {}) => seen(id, 'backpack', box, { stillMs: 0, ...rest })
const [BAG, OWNER] = [1, 10]

/** The watch has begun, the owner has come with the bag and put it down. */
function putDown(scene: Scene) {
  scene.hold(12)
  for (const { x } of wayOf({ x: 0.1, y: 0.8 }, { x: 0.5, y: 0.8 }, 25))
    scene.show(person(OWNER, x), bag(BAG, bagAt(x, 0.7)))
  scene.hold(3, person(OWNER, 0.52), bag(BAG))
  return scene
}
const walkOff = (scene: Scene, from: Point = { x: 0.5, y: 0.8 }) =>
  wayOf(from, { x: 1, y: 0.8 }, 15).flatMap(({ x }) => scene.show(person(OWNER, x), bag(BAG)))

describe('a thing left behind', () => {
  it('fires once, a minute after its owner has gone', () => {
    const scene = putDown(createScene(config({}, { zonas: [[0, 0.5, 1, 0.5, 1, 1, 0, 1]] })))
    expect(walkOff(scene)).toEqual([])
    const fired = scene.hold(61, bag(BAG))
    expect(fired).toMatchObject([
      { ia: 'objeto_abandonado', trackIds: [BAG], rotulos: ['backpack'], confianca: 0.8, zona: 0 },
    ])
    expect(fired[0]?.caixas).toHaveLength(1)
    expect(fired[0]?.detalhes.duracao_s).toBeGreaterThanOrEqual(60)
    expect(scene.hold(3600, bag(BAG))).toEqual([])
  })

  it('is worth a picture while it lies alone', () => {
    const scene = putDown(createScene(config()))
    expect(scene.analysis.promising()).toEqual([])
    walkOff(scene)
    scene.hold(5, bag(BAG))
    expect(scene.analysis.promising()).toEqual([BAG])
  })

  it('fires though it is now and then not seen, and under other numbers', () => {
    const scene = putDown(createScene(config()))
    walkOff(scene)
    const random = createRandom(4)
    const fired = Array.from({ length: 60 }, (_, i) => [
      scene.show(bag(BAG + 20 + Math.floor(i / 10), bagAt(0.5 + 0.004 * random()))),
      scene.hold(random() * 2),
    ]).flat(2)
    expect(fired).toHaveLength(1)
    expect(scene.hold(60, bag(BAG))).toEqual([])
  })

  it('fires though people pass, but not while one is there', () => {
    const scene = putDown(createScene(config()))
    walkOff(scene)
    for (let i = 0; i < 11; i++) {
      expect(scene.hold(2, bag(BAG), person(50 + i, 0.4))).toEqual([])
      expect(scene.hold(3, bag(BAG))).toEqual([])
    }
    for (let i = 0; i < 5; i++) expect(scene.hold(3, bag(BAG), person(80 + i, i % 2 ? 0.35 : 0.65))).toEqual([])
    expect(scene.hold(1, bag(BAG))).toHaveLength(1)
  })

  it('outside of the zone is none', () => {
    const scene = putDown(createScene(config({}, { zonas: [[0, 0, 1, 0, 1, 0.5, 0, 0.5]] })))
    walkOff(scene)
    expect(scene.hold(120, bag(BAG))).toEqual([])
  })
})

describe('somebody looks after it', () => {
  it('the owner, also from where a stranger would not', () => {
    const near = putDown(createScene(config()))
    expect(near.hold(120, bag(BAG), person(OWNER, 0.8))).toEqual([])
    const stranger = putDown(createScene(config()))
    walkOff(stranger)
    expect(stranger.hold(90, bag(BAG), person(99, 0.8))).toHaveLength(1)
  })

  it('the owner, who is lost and found again under another number', () => {
    const scene = putDown(createScene(config()))
    scene.hold(5, bag(BAG), person(OWNER, 0.75))
    scene.hold(4, bag(BAG))
    expect(scene.hold(120, bag(BAG), person(77, 0.78))).toEqual([])
  })

  it('the owner comes back: the time begins anew', () => {
    const scene = putDown(createScene(config()))
    walkOff(scene)
    scene.hold(50, bag(BAG))
    scene.hold(10, bag(BAG), person(OWNER, 0.55))
    walkOff(scene)
    expect(scene.hold(55, bag(BAG))).toEqual([])
    expect(scene.hold(6, bag(BAG))).toHaveLength(1)
  })

  it('somebody who stays with it', () => {
    const scene = putDown(createScene(config()))
    walkOff(scene)
    scene.hold(50, bag(BAG))
    expect(scene.hold(300, bag(BAG), person(99, 0.55))).toEqual([])
    expect(scene.hold(55, bag(BAG))).toEqual([])
  })

  it('carries it: never, however long', () => {
    const scene = createScene(config())
    scene.hold(12)
    const fired = Array.from({ length: 3000 }, (_, i) => {
      const x = 0.5 + 0.4 * Math.sin(i / 100)
      return scene.show(person(OWNER, x), bag(BAG, bagAt(x, 0.7)))
    }).flat()
    expect(fired).toEqual([])
  })

  it('carries it where only the bag is found, never still', () => {
    const scene = createScene(config())
    scene.hold(12)
    scene.hold(2, person(OWNER, 0.5), bag(BAG))
    const fired = Array.from({ length: 3000 }, (_, i) =>
      scene.show(bag(BAG, bagAt(0.5 + 0.4 * Math.sin(i / 100)))),
    ).flat()
    expect(fired).toEqual([])
  })

  it('takes it and leaves it elsewhere: that is another event', () => {
    const scene = putDown(createScene(config()))
    walkOff(scene)
    expect(scene.hold(70, bag(BAG))).toHaveLength(1)
    for (const { x } of wayOf({ x: 0.5, y: 0.8 }, { x: 0.2, y: 0.8 }, 20))
      scene.show(bag(BAG, bagAt(x, 0.7)), person(OWNER, x))
    scene.hold(5, bag(BAG, bagAt(0.2)), person(OWNER, 0.2))
    scene.hold(5, bag(BAG, bagAt(0.2)), person(OWNER, 0.8))
    expect(scene.hold(70, bag(BAG, bagAt(0.2)))).toHaveLength(1)
  })
})

describe('scenery', () => {
  it('is what lay there when the watch began, until it moves', () => {
    const scene = createScene(config())
    scene.hold(5, person(OWNER, 0.55))
    expect(scene.hold(300, bag(BAG))).toEqual([])
    for (const { x } of wayOf({ x: 0.5, y: 0.8 }, { x: 0.2, y: 0.8 }, 20))
      scene.show(bag(BAG, bagAt(x)), person(OWNER, x))
    expect(scene.hold(70, bag(BAG, bagAt(0.2)))).toHaveLength(1)
  })

  it('stays it where it is not seen for long, whoever is near when it is found again', () => {
    const scene = createScene(config())
    scene.hold(5, bag(BAG))
    scene.hold(300)
    scene.hold(5, bag(2), person(OWNER, 0.55))
    expect(scene.hold(120, bag(2))).toEqual([])
  })

  it('is what is found where nobody has been for half a minute', () => {
    const after = (seconds: number) => {
      const scene = createScene(config())
      scene.hold(12)
      scene.hold(5, person(OWNER, 0.55))
      scene.hold(seconds)
      return scene.hold(90, bag(BAG)).length
    }
    expect([after(10), after(40)]).toEqual([1, 0])
  })

  it('is what is found where nobody has been', () => {
    const scene = createScene(config())
    scene.hold(60, person(OWNER, 0.05))
    expect(scene.hold(300, bag(BAG))).toEqual([])
  })

  it('is what lies there when the Agenda arms it, or when nobody has looked for long', () => {
    const scene = createScene(config({}, { agenda: { inicio: 13, fim: 14, dias: [] } }))
    scene.skip(3540)
    scene.hold(30, person(OWNER, 0.55))
    scene.hold(28, bag(BAG), person(OWNER, 0.55))
    expect(scene.hold(300, bag(BAG))).toEqual([])
    const paused = createScene(config())
    paused.hold(60, person(OWNER, 0.55))
    paused.skip(3600)
    paused.show(bag(BAG), person(OWNER, 0.55))
    expect(paused.hold(300, bag(BAG))).toEqual([])
  })

  it.each([
    ['seen too weakly', { confianca: 0.3 }],
    ['only predicted', { predicted: true }],
    ['too seldom in a row', { hits: 5 }],
    ['a bottle', { rotulo: 'bottle' }],
  ])('is silent too: %s', (_, rest) => {
    const scene = createScene(config())
    scene.hold(12)
    scene.hold(5, person(OWNER, 0.5), bag(BAG, bagAt(0.5), rest))
    expect(scene.hold(300, bag(BAG, bagAt(0.5), rest))).toEqual([])
  })
})

describe('memory', () => {
  it('does not repeat what lay out of sight for hours where nobody came', () => {
    const scene = putDown(createScene(config()))
    walkOff(scene)
    scene.hold(70, bag(BAG))
    scene.hold(3600)
    scene.hold(5, bag(2), person(OWNER, 0.8))
    expect(scene.hold(120, bag(2))).toEqual([])
  })

  it('takes what is left where something was taken away for another thing', () => {
    const scene = putDown(createScene(config()))
    walkOff(scene)
    scene.hold(70, bag(BAG))
    scene.hold(5, person(60, 0.5))
    scene.hold(90)
    scene.hold(5, person(61, 0.5), bag(2))
    expect(scene.hold(70, bag(2))).toHaveLength(1)
  })

  it('does not count time in which nobody looked', () => {
    const scene = putDown(createScene(config()))
    walkOff(scene)
    scene.hold(15, bag(BAG))
    scene.skip(40)
    expect(scene.hold(40, bag(BAG))).toEqual([])
    expect(scene.hold(10, bag(BAG))).toHaveLength(1)
  })

  it('goes on over a restart: the time, what was told of, and the cooldown', () => {
    const scene = putDown(createScene(config({ resfriamento_s: 300 })))
    walkOff(scene)
    scene.hold(40, bag(BAG))
    const second = scene.restart(10)
    expect(second.hold(40, bag(5))).toHaveLength(1)
    const third = second.restart(10)
    expect(third.hold(600, bag(6))).toEqual([])
    third.hold(5, person(OWNER, 0.25), bag(7, bagAt(0.2)), bag(6))
    expect(third.hold(70, bag(7, bagAt(0.2)), bag(6))).toHaveLength(1)
  })

  it.each([
    [null],
    ['x'],
    [{ v: 2 }],
    [{ v: 1, things: [{ box: bagAt(0.5), vx: 0, vy: 0, seenAt: 0, data: { place: 1 } }] }],
  ])('starts afresh from a state that it cannot read: %o', (state) => {
    const scene = putDown(createScene(config(), state))
    expect(scene.hold(70, bag(BAG))).toHaveLength(1)
  })
})
