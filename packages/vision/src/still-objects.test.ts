import type { Box } from '@vigia/ias/geometry'
import { describe, expect, it } from 'vitest'
import { createStillObjects } from './still-objects.ts'

const [WIDTH, HEIGHT] = [160, 90]

interface Drawn {
  /** Left, top, width, height in pixels, and grey level. */
  readonly things?: readonly (readonly [number, number, number, number, number])[]
  readonly light?: (x: number, y: number) => number
  /** Left, top, width, height of something red. */
  readonly colour?: readonly [number, number, number, number, number]
}

let seed = 1
const noise = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return (seed / 2 ** 32 - 0.5) * 4
}

/** A floor with tiles and a wall, sensor noise, and things on it. */
function frame({ things = [], light = () => 1 }: Drawn): Uint8Array {
  return new Uint8Array(WIDTH * HEIGHT).map((_, at) => {
    const [x, y] = [at % WIDTH, Math.floor(at / WIDTH)]
    const thing = things.findLast(([left, top, w, h]) => x >= left && x < left + w && y >= top && y < top + h)
    const floor = y < 30 ? 150 : 110 + (x % 16 === 0 || y % 12 === 0 ? -25 : 0)
    const level = thing ? thing[4] + (y % 5 === 0 ? 15 : 0) : floor
    return Math.max(0, Math.min(255, level * light(x, y) + noise()))
  })
}

function createScene() {
  const objects = createStillObjects()
  let atMs = 0
  return {
    objects,
    /** Shows this for some seconds, a picture a second. */
    show(seconds: number, drawn: Drawn, people: readonly Box[] = []) {
      for (let i = 0; i < seconds; i++) {
        const planes = new Uint8Array(2 * WIDTH * HEIGHT).fill(128)
        planes.set(frame(drawn))
        const [left, top, w, h] = drawn.colour ?? [0, 0, 0, 0]
        for (let y = top; y < top + h; y++)
          planes.fill(180, (HEIGHT + y) * WIDTH + left, (HEIGHT + y) * WIDTH + left + w)
        objects.update({ planes, width: WIDTH, height: HEIGHT }, atMs, people)
        atMs += 1_000
      }
      return objects.all()
    },
  }
}
const BAG = [70, 55, 10, 12, 40] as const
const personAt = (x: number): Box => ({ x: x / WIDTH, y: 30 / HEIGHT, w: 16 / WIDTH, h: 45 / HEIGHT })

describe('still objects', () => {
  it('finds an object of any kind a few seconds after it was put down, and keeps it', () => {
    const { show } = createScene()
    expect(show(10, {})).toEqual([])
    const [found] = show(6, { things: [BAG] })
    expect(found).toMatchObject({ kind: 'deixado', visible: true })
    expect(found?.box.x).toBeCloseTo(70 / WIDTH, 1)
    expect(found?.box.h).toBeCloseTo(12 / HEIGHT, 1)
    expect(show(600, { things: [BAG] })).toMatchObject([{ id: found?.id }])
    expect(show(5, {})).toEqual([])
  })

  it('keeps an object while people pass in front of it and while the light changes', () => {
    const { show } = createScene()
    show(10, {})
    const [found] = show(6, { things: [BAG] })
    const passing = (x: number) => show(1, { things: [BAG, [x, 30, 16, 45, 60]] }, [personAt(x)])
    for (let x = 40; x < 110; x += 4) expect(passing(x)).toMatchObject([{ id: found?.id }])
    expect(show(5, { things: [BAG] })).toMatchObject([{ id: found?.id, visible: true }])
    expect(show(20, { things: [BAG], light: () => 0.75 })).toMatchObject([{ id: found?.id, visible: true }])
  })

  it('names the place of an object that was taken away', () => {
    const { show } = createScene()
    show(30, { things: [BAG] })
    expect(show(6, {})).toMatchObject([{ kind: 'retirado' }])
  })

  it.each<readonly [string, Drawn, readonly Box[]]>([
    [
      'a shadow with the pattern of the floor',
      { light: (x, y) => (x > 60 && x < 90 && y > 40 && y < 70 ? 0.7 : 1) },
      [],
    ],
    ['a soft light', { light: (x, y) => 1 + 0.4 * Math.exp(-((x - 80) ** 2 + (y - 15) ** 2) / 60) }, []],
    ['other light everywhere', { light: () => 1.3 }, []],
    ['a person who sits there', { things: [[70, 40, 12, 25, 50]] }, [personAt(68)]],
  ])('does not find %s', (_, drawn, people) => {
    const { show } = createScene()
    show(10, {})
    expect(show(120, drawn, people)).toEqual([])
  })

  it('finds an object as bright as the floor by its colour', () => {
    const { show } = createScene()
    const red = [70, 55, 10, 12, 110] as const
    show(10, {})
    expect(show(6, { things: [red], colour: red })).toMatchObject([{ kind: 'deixado' }])
  })

  it('does not find the place of a person who was there from the beginning', () => {
    const { show } = createScene()
    const standing: Drawn = { things: [[70, 30, 16, 45, 60]] }
    show(10, standing, [personAt(70)])
    expect(show(60, {})).toEqual([])
  })

  it('finds an object put down where another was taken away, and not one that is put back', () => {
    const { show } = createScene()
    show(30, { things: [BAG] })
    show(6, {})
    expect(show(6, { things: [BAG] })).toEqual([])
    show(6, {})
    expect(show(6, { things: [[68, 50, 14, 18, 60]] })).toMatchObject([{}, { kind: 'deixado' }])
  })

  it('does not find objects that were there, or things that move', () => {
    const { show, objects } = createScene()
    expect(show(60, { things: [BAG] })).toEqual([])
    for (let x = 10; x < 60; x += 6) show(1, { things: [BAG, [x, 60, 10, 10, 30]] })
    expect(objects.all()).toEqual([])
  })
})
