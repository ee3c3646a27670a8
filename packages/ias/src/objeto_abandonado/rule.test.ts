import { describe, expect, it } from 'vitest'
import type { Box, Point } from '../geometry.ts'
import type { AnalysisConfig } from '../observation.ts'
import { createRandom, createScene, type Scene, sceneConfig, seen, standing, wayOf } from '../test-scene.ts'

const config = (limits: Record<string, number | boolean> = {}, rest: Partial<AnalysisConfig> = {}): AnalysisConfig =>
  sceneConfig('objeto_abandonado', limits, rest)
/** A person is 0.08 wide and 0.3 high; the reach to the side is 0.2, of the owner 0.4. */
const person = (id: number, x: number, y = 0.8, rest = {}) => seen(id, 'person', standing({ x, y }, 0.08, 0.3), rest)
const bagAt = (x: number, y = 0.8): Box => standing({ x, y }, 0.05, 0.07)
const bag = (id: number, box = bagAt(0.5), rest = {}) => seen(id, 'backpack', box, { stillMs: 0, ...rest })
const [BAG, OWNER] = [1, 10]

/** A scene in which the owner has come with the bag and put it down. */
function putDown(scene: Scene) {
  scene.hold(12)
  for (const { x } of wayOf({ x: 0.1, y: 0.8 }, { x: 0.5, y: 0.8 }, 25))
    scene.show(person(OWNER, x), bag(BAG, bagAt(x, 0.7)))
  scene.hold(3, person(OWNER, 0.52), bag(BAG))
  return scene
}
const walkOff = (scene: Scene, from: Point = { x: 0.5, y: 0.8 }) =>
  wayOf(from, { x: 1, y: 0.8 }, 15).flatMap(({ x }) => scene.show(person(OWNER, x), bag(BAG)))

describe('an object left behind', () => {
  it('fires once, a minute after its owner has left', () => {
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

  it('is promising while it lies unattended', () => {
    const scene = putDown(createScene(config()))
    expect(scene.analysis.promising()).toEqual([])
    walkOff(scene)
    scene.hold(5, bag(BAG))
    expect(scene.analysis.promising()).toEqual([BAG])
  })

  it('fires despite missed detections and changes of track', () => {
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

  it('fires although people pass, but not while a person is near', () => {
    const scene = putDown(createScene(config()))
    walkOff(scene)
    for (let i = 0; i < 11; i++) {
      expect(scene.hold(2, bag(BAG), person(50 + i, 0.4))).toEqual([])
      expect(scene.hold(3, bag(BAG))).toEqual([])
    }
    for (let i = 0; i < 5; i++) expect(scene.hold(3, bag(BAG), person(80 + i, i % 2 ? 0.35 : 0.65))).toEqual([])
    expect(scene.hold(1, bag(BAG))).toHaveLength(1)
  })

  it('does not fire outside of the zone', () => {
    const scene = putDown(createScene(config({}, { zonas: [[0, 0, 1, 0, 1, 0.5, 0, 0.5]] })))
    walkOff(scene)
    expect(scene.hold(120, bag(BAG))).toEqual([])
  })
})

describe('an attended or carried object', () => {
  it('is attended by its owner, also at a distance at which a stranger does not count', () => {
    const near = putDown(createScene(config()))
    expect(near.hold(120, bag(BAG), person(OWNER, 0.8))).toEqual([])
    const stranger = putDown(createScene(config()))
    walkOff(stranger)
    expect(stranger.hold(90, bag(BAG), person(99, 0.8))).toHaveLength(1)
  })

  it('is attended by its owner after a change of track', () => {
    const scene = putDown(createScene(config()))
    scene.hold(5, bag(BAG), person(OWNER, 0.75))
    scene.hold(4, bag(BAG))
    expect(scene.hold(120, bag(BAG), person(77, 0.78))).toEqual([])
  })

  it('restarts its time when the owner returns', () => {
    const scene = putDown(createScene(config()))
    walkOff(scene)
    scene.hold(50, bag(BAG))
    scene.hold(10, bag(BAG), person(OWNER, 0.55))
    walkOff(scene)
    expect(scene.hold(55, bag(BAG))).toEqual([])
    expect(scene.hold(6, bag(BAG))).toHaveLength(1)
  })

  it('is attended by a person who stays near', () => {
    const scene = putDown(createScene(config()))
    walkOff(scene)
    scene.hold(50, bag(BAG))
    expect(scene.hold(300, bag(BAG), person(99, 0.55))).toEqual([])
    expect(scene.hold(55, bag(BAG))).toEqual([])
  })

  it('never fires while it is carried', () => {
    const scene = createScene(config())
    scene.hold(12)
    const fired = Array.from({ length: 3000 }, (_, i) => {
      const x = 0.5 + 0.4 * Math.sin(i / 100)
      return scene.show(person(OWNER, x), bag(BAG, bagAt(x, 0.7)))
    }).flat()
    expect(fired).toEqual([])
  })

  it('never lies still while it is carried by an undetected person', () => {
    const scene = createScene(config())
    scene.hold(12)
    scene.hold(2, person(OWNER, 0.5), bag(BAG))
    const fired = Array.from({ length: 3000 }, (_, i) =>
      scene.show(bag(BAG, bagAt(0.5 + 0.4 * Math.sin(i / 100)))),
    ).flat()
    expect(fired).toEqual([])
  })

  it('raises another event after it was moved elsewhere', () => {
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
  it('includes objects of the first frames until they move', () => {
    const scene = createScene(config())
    scene.hold(5, person(OWNER, 0.55))
    expect(scene.hold(300, bag(BAG))).toEqual([])
    for (const { x } of wayOf({ x: 0.5, y: 0.8 }, { x: 0.2, y: 0.8 }, 20))
      scene.show(bag(BAG, bagAt(x)), person(OWNER, x))
    expect(scene.hold(70, bag(BAG, bagAt(0.2)))).toHaveLength(1)
  })

  it('persists through a long time without detection, also with people near afterwards', () => {
    const scene = createScene(config())
    scene.hold(5, bag(BAG))
    scene.hold(300)
    scene.hold(5, bag(2), person(OWNER, 0.55))
    expect(scene.hold(120, bag(2))).toEqual([])
  })

  it('includes objects where no person was for half a minute', () => {
    const after = (seconds: number) => {
      const scene = createScene(config())
      scene.hold(12)
      scene.hold(5, person(OWNER, 0.55))
      scene.hold(seconds)
      return scene.hold(90, bag(BAG)).length
    }
    expect([after(10), after(40)]).toEqual([1, 0])
  })

  it('includes objects where no person was', () => {
    const scene = createScene(config())
    scene.hold(60, person(OWNER, 0.05))
    expect(scene.hold(300, bag(BAG))).toEqual([])
  })

  it('includes objects at the start of the Agenda or after a long pause', () => {
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
    ['too little confidence', { confianca: 0.3 }],
    ['only predicted', { predicted: true }],
    ['too few consecutive frames', { hits: 5 }],
    ['a bottle', { rotulo: 'bottle' }],
  ])('does not fire: %s', (_, rest) => {
    const scene = createScene(config())
    scene.hold(12)
    scene.hold(5, person(OWNER, 0.5), bag(BAG, bagAt(0.5), rest))
    expect(scene.hold(300, bag(BAG, bagAt(0.5), rest))).toEqual([])
  })
})

describe('memory', () => {
  it('does not repeat an object that was hidden for hours without people near', () => {
    const scene = putDown(createScene(config()))
    walkOff(scene)
    scene.hold(70, bag(BAG))
    scene.hold(3600)
    scene.hold(5, bag(2), person(OWNER, 0.8))
    expect(scene.hold(120, bag(2))).toEqual([])
  })

  it('counts an object in the position of a removed one as another object', () => {
    const scene = putDown(createScene(config()))
    walkOff(scene)
    scene.hold(70, bag(BAG))
    scene.hold(5, person(60, 0.5))
    scene.hold(90)
    scene.hold(5, person(61, 0.5), bag(2))
    expect(scene.hold(70, bag(2))).toHaveLength(1)
  })

  it('does not count time without frames', () => {
    const scene = putDown(createScene(config()))
    walkOff(scene)
    scene.hold(15, bag(BAG))
    scene.skip(40)
    expect(scene.hold(40, bag(BAG))).toEqual([])
    expect(scene.hold(10, bag(BAG))).toHaveLength(1)
  })

  it('keeps the time, alerted objects and the cooldown across a restart', () => {
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
  ])('ignores an unreadable state: %o', (state) => {
    const scene = putDown(createScene(config(), state))
    expect(scene.hold(70, bag(BAG))).toHaveLength(1)
  })
})

describe('an object of the background model', () => {
  const still = (box: Box, rest = {}) => seen(STILL, 'objeto', box, { hits: 300, still: true, ...rest })
  const STILL = 1_000_000_001
  const left = (thing: ReturnType<typeof still>, limits: Record<string, number | boolean> = {}) => {
    const scene = createScene(config(limits))
    scene.hold(12)
    for (const { x } of wayOf({ x: 0.1, y: 0.8 }, { x: 0.5, y: 0.8 }, 25)) scene.show(person(OWNER, x))
    scene.hold(3, person(OWNER, 0.5))
    for (const { x } of wayOf({ x: 0.5, y: 0.8 }, { x: 1, y: 0.8 }, 15)) scene.show(person(OWNER, x), thing)
    return scene
  }

  it('fires once for an object of no known class, with the box of its owner', () => {
    const scene = left(still(bagAt(0.5)))
    const fired = scene.hold(120, still(bagAt(0.5)))
    expect(fired).toMatchObject([{ rotulos: ['objeto'], trackIds: [STILL] }])
    expect(fired[0]?.detalhes.dono?.x).toBeCloseTo(0.46, 1)
    expect(fired[0]?.detalhes.dono?.h).toBeCloseTo(0.3, 5)
  })

  it('fires once if the detector finds the same bag', () => {
    const scene = left(still(bagAt(0.5)))
    expect(scene.hold(120, still(bagAt(0.5)), bag(BAG, bagAt(0.51)))).toHaveLength(1)
  })

  it.each<readonly [string, Box]>([
    ['as high as a person: a gate', standing({ x: 0.5, y: 0.8 }, 0.09, 0.3)],
    ['wider than two people: a vehicle', standing({ x: 0.5, y: 0.8 }, 0.3, 0.15)],
    ['a spot on the floor', standing({ x: 0.5, y: 0.8 }, 0.01, 0.01)],
    ['out of reach of the person', standing({ x: 0.5, y: 0.4 }, 0.05, 0.07)],
  ])('does not fire for something %s', (_, box) => {
    expect(left(still(box)).hold(120, still(box))).toEqual([])
  })

  it('fires for an object taken away only with that threshold', () => {
    const taken = still(bagAt(0.5), { rotulo: 'retirado' })
    expect(left(taken).hold(120, taken)).toEqual([])
    expect(left(taken, { retirados: true }).hold(120, taken)).toMatchObject([{ rotulos: ['retirado'] }])
  })

  it('requests a frame when it is due, and once a minute while it waits', () => {
    const thing = still(bagAt(0.5))
    const scene = left(thing, { resfriamento_s: 600 })
    scene.hold(5, thing)
    const dueS = (scene.analysis.wakesAtMs?.() ?? 0) / 1000 - scene.elapsed()
    expect(dueS).toBeGreaterThan(45)
    expect(dueS).toBeLessThan(60)
    expect(scene.hold(70, thing)).toHaveLength(1)
    expect(scene.analysis.wakesAtMs?.()).toBeNull()
  })
})
