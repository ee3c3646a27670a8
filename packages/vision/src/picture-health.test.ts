import { problemasImagem } from '@vigia/contracts/ias'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { createPictureHealth, type PictureHealth } from './picture-health.ts'
import { createNoiseMonitor } from './picture-health-stillness.ts'
import {
  createDice,
  HEIGHT,
  infrared,
  noisy,
  painted,
  rained,
  readGrayFootage,
  STEP_MS,
  shifted,
  WIDTH,
} from './testing/footage.ts'
import { patio } from './testing/still.ts'

let footage: Uint8Array[]
let elsewhere: Uint8Array
let dice: () => number
beforeAll(async () => {
  footage = await readGrayFootage()
  dice = createDice(5)
  const region = { left: 300, top: 150, width: 460, height: 345 }
  const still = sharp(patio.path).extract(region).resize(WIDTH, HEIGHT).greyscale()
  elsewhere = new Uint8Array(await still.raw().toBuffer())
})

/** Threshold of the IA. */
const MEANT = 0.6
const KNOWN = 60

type Scene = (gray: Uint8Array, index: number) => Uint8Array | Promise<Uint8Array>
type Values = ReturnType<PictureHealth['update']>

/** The footage runs forwards and backwards, so that it has no jump. */
const picture = (index: number) => {
  const at = index % (2 * footage.length - 2)
  return footage[at < footage.length ? at : 2 * footage.length - 2 - at] as Uint8Array
}

/** A camera that shows the yard for 12 s and then `scene` for `count` pictures. */
async function after(scene: Scene, count: number, known = KNOWN): Promise<Values[]> {
  const health = createPictureHealth()
  for (let index = 0; index < known; index++) health.update(picture(index), WIDTH, HEIGHT, index * STEP_MS)
  const values: Values[] = []
  for (let index = known; index < known + count; index++) {
    values.push(health.update(await scene(picture(index), index), WIDTH, HEIGHT, index * STEP_MS))
  }
  return values
}
const last = (values: readonly Values[]) => values.at(-1) as Values
const worst = (values: readonly Values[]) => Math.max(...values.flatMap((one) => Object.values(one)))
const meant = (values: Values) => problemasImagem.filter((problem) => values[problem] >= MEANT)

const blurred = async (gray: Uint8Array, sigma: number) =>
  new Uint8Array(
    await sharp(gray, { raw: { width: WIDTH, height: HEIGHT, channels: 1 } })
      .blur(sigma)
      .toColourspace('b-w')
      .raw()
      .toBuffer(),
  )
const bump = (x: number, y: number, centreX: number, centreY: number, spread: number) =>
  Math.exp(-((x - centreX) ** 2 + (y - centreY) ** 2) / spread)
const hand: Scene = (gray) => painted(gray, (_, x, y) => 28 + 8 * Math.sin(x / 50) + 4 * Math.cos(y / 40))
const lorry =
  (cover: number): Scene =>
  (gray) =>
    painted(gray, (value, x, y) => {
      if (x >= cover * WIDTH || (y < 10 && cover < 1)) return value
      return y > 95 ? 60 : y % 40 < 3 || x % 50 < 2 ? 60 : 190
    })
const wall: Scene = (gray) =>
  noisy(
    painted(gray, (_, x, y) => 205 - x * 0.12 - y * 0.1),
    1.5,
    dice,
  )

describe('problems of a picture', () => {
  it.each<[string, Scene, string]>([
    ['a hand on the lens', hand, 'coberta'],
    [
      'a hand that lets light in at a corner',
      (gray) => painted(gray, (_, x, y) => 25 + 180 * bump(x, y, WIDTH, 0, 600)),
      'coberta',
    ],
    ['white tape', (gray) => painted(gray, (_, x, y) => 185 + 10 * Math.cos(x / 60) + 6 * Math.sin(y / 50)), 'coberta'],
    [
      'a bag over nine tenths',
      (gray) => painted(gray, (value, x, y) => (x < WIDTH * 0.9 ? 70 + 6 * Math.sin(y / 30) : value)),
      'coberta',
    ],
    ['out of focus', (gray) => blurred(gray, 1.5), 'desfocada'],
    ['far out of focus', (gray) => blurred(gray, 4), 'desfocada'],
    [
      'a torch in the middle',
      (gray) => painted(gray, (value, x, y) => value * 0.6 + 330 * bump(x, y, 80, 60, 3500)),
      'ofuscada',
    ],
    ['a low sun that washes all out', (gray) => painted(gray, (value) => value * 0.25 + 185), 'ofuscada'],
    ['no light at all', (gray) => painted(gray, () => 6), 'preta'],
    [
      'turned to another part of the yard',
      (gray) =>
        noisy(
          painted(gray, (_, x, y) => elsewhere[y * WIDTH + x] ?? 0),
          2,
          dice,
        ),
      'desviada',
    ],
    ['turned a little', (gray) => shifted(gray, 22, 8), 'desviada'],
    ['hung upside down', (gray) => gray.slice().reverse(), 'desviada'],
  ])('$0: $2', async (_, scene, problem) => {
    expect(meant(last(await after(scene, 50)))).toEqual([problem])
  })

  it.each<[string, Scene]>([
    ['people who walk', (gray) => gray],
    ['rain', (gray) => rained(gray, 300, dice)],
    [
      'a noisy night',
      (gray) =>
        noisy(
          painted(gray, (value) => value * 0.15),
          2,
          dice,
        ),
    ],
    [
      'lights off: an eighth of the light, and noise',
      (gray) =>
        noisy(
          painted(gray, (value) => value * 0.12),
          1.5,
          dice,
        ),
    ],
    ['the infrared picture at dusk', (gray) => infrared(gray, dice)],
    ['a lamp that goes on', (gray) => painted(gray, (value, x, y) => value * (1 + 0.9 * bump(x, y, 40, 40, 2500)))],
    ['another exposure', (gray) => painted(gray, (value) => 255 * (value / 255) ** 0.6)],
    [
      'a person near the camera',
      (gray) =>
        painted(gray, (value, x, y) => (((x - 80) / 40) ** 2 + ((y - 80) / 60) ** 2 < 1 ? 55 + ((x * y) % 13) : value)),
    ],
    ['a lorry that stops across three quarters', lorry(0.75)],
    ['a pole that shakes', (gray) => shifted(gray, dice() * 4 - 2, dice() * 4 - 2)],
  ])('reports nothing for %s', async (_, scene) => {
    expect(worst(await after(scene, 50))).toBeLessThan(0.4)
  })

  it('reports nothing for a lorry that fills the picture for 5 s', async () => {
    expect(worst(await after(lorry(1), 25))).toBeLessThan(MEANT)
  })

  it('adapts to fog that rises within ten minutes, and keeps the clear picture as usual', async () => {
    const health = createPictureHealth()
    const values: Values[] = []
    for (let index = 0; index < 300; index++) {
      const thick = Math.min(0.85, index * 0.003)
      const gray = painted(picture(index), (value) => value * (1 - thick) + 175 * thick)
      values.push(health.update(gray, WIDTH, HEIGHT, index * 2_000))
    }
    expect(worst(values)).toBeLessThan(0.4)
  })
})

describe('at night', () => {
  /** The camera shows the day, then the night, then `scene`. */
  const byNight = async (scene: Scene) => {
    const health = createPictureHealth()
    const values: Values[] = []
    for (let index = 0; index < 300; index++) {
      const gray = picture(index)
      const shown = index < 100 ? gray : index < 250 ? infrared(gray, dice) : await scene(infrared(gray, dice), index)
      values.push(health.update(shown, WIDTH, HEIGHT, index * STEP_MS))
    }
    expect(worst(values.slice(0, 250))).toBeLessThan(0.4)
    return meant(last(values))
  }

  it('reports infrared light that a pane reflects', async () => {
    const reflected: Scene = (gray) =>
      painted(gray, (value, x, y) => {
        const share = Math.max(0.35, bump(x, y, 80, 60, 6000))
        return value * (1 - share) + 235 * share
      })
    expect(await byNight(reflected)).toEqual(['ofuscada'])
  })

  it.each([0.5, 0.7])(
    'reports a spider web that shines in front of the lens, over %s of the picture',
    async (cover) => {
      // Threads out of focus, with dew, sway in the light of the infrared lamp.
      const web: Scene = (gray, index) =>
        painted(gray, (value, x, y) => {
          const sway = 3 * Math.sin(index / 4)
          const thread = Math.max(
            ...[0.2, 0.55, 0.9].map((at) => bump(x + sway, 0, WIDTH * cover * at, 0, 160)),
            ...[0.3, 0.75].map((at) => bump(0, y + sway, 0, HEIGHT * at, 220) * (x < WIDTH * cover ? 1 : 0)),
          )
          const share = Math.min(0.92, 0.15 * Number(x < WIDTH * cover) + thread)
          return value * (1 - share) + 215 * share
        })
      expect(await byNight(web)).toEqual(['ofuscada'])
    },
  )

  it('reports focus that is lost at the switch to a night that the camera knows', async () => {
    expect(await byNight((gray) => blurred(gray, 2))).toEqual(['desfocada'])
  })
})

describe('a frozen picture', () => {
  const clock: Scene = (_, index) =>
    painted(picture(40), (value, x, y) => (x > 140 && x < 146 && y < 6 ? (index % 10 < 5 ? 255 : 90) : value))

  it.each<[string, Scene]>([
    ['the whole picture', () => picture(40)],
    ['all except the clock of the recorder', clock],
  ])('%s counts as frozen only after the longest interval of keyframes', async (_, scene) => {
    const values = await after(scene, 225)
    expect(Math.max(...values.slice(0, 120).map(({ congelada }) => congelada))).toBe(0)
    expect(meant(last(values))).toEqual(['congelada'])
  })

  it('is not reported while a keyframe changes the grain every 10 s', async () => {
    const values = await after(
      (_, index) =>
        noisy(picture(40), Math.floor(index / 50) % 2 === 0 ? 0.6 : 0.9, createDice(Math.floor(index / 50))),
      225,
    )
    expect(worst(values)).toBeLessThan(0.1)
  })

  it('that a recorder encodes anew is reported within seconds, because the noise of the sensor stops', () => {
    const health = createPictureHealth()
    const grain = createDice(9)
    const values: Values[] = []
    for (let index = 0; index < 175; index++) {
      const live = noisy(picture(index), 1.5, grain)
      const keyframe = () => noisy(picture(99), 1, grain)
      const gray = index < 100 ? live : index % 10 === 0 ? keyframe() : picture(99)
      // Learnt within minutes, at a slower rate of pictures.
      const atMs = index < 100 ? (index - 100) * 4_000 : (index - 100) * STEP_MS
      values.push(health.update(gray, WIDTH, HEIGHT, 400_000 + atMs))
    }
    expect(worst(values.slice(0, 100))).toBeLessThan(0.1)
    expect(values.slice(125).every((one) => meant(one).join() === 'congelada')).toBe(true)
  })

  it('is not reported when the noise fades, stops with the light, or was never there', () => {
    const most = (changedAt: (index: number) => number, light: (index: number) => number) => {
      const watch = createNoiseMonitor()
      const values = Array.from({ length: 400 }, (_, index) => {
        const elapsedMs = index < 190 ? 2_000 : STEP_MS
        return watch.stopped(changedAt(index), light(index), 1_000_000 + (index - 190) * elapsedMs, elapsedMs)
      })
      return Math.max(...values)
    }
    const stops = (index: number) => (index < 200 ? 0.3 : 0)
    expect(most(stops, () => 90)).toBe(1)
    expect(
      most(
        (index) => 0.3 * 0.9 ** index,
        () => 90,
      ),
    ).toBe(0)
    expect(most(stops, (index) => (index < 200 ? 90 : 60))).toBe(0)
    expect(
      most(
        (index) => stops(index) / 30,
        () => 90,
      ),
    ).toBe(0)
  })

  it('is not reported after a pause of the stream', async () => {
    const health = createPictureHealth()
    for (let index = 0; index < 20; index++) health.update(picture(40), WIDTH, HEIGHT, index * 60_000)
    expect(health.update(picture(40), WIDTH, HEIGHT, 20 * 60_000).congelada).toBe(0)
  })
})

describe('the usual picture of a camera', () => {
  it('is learnt after the removal of a dark cover, which is reported from the start', async () => {
    const health = createPictureHealth()
    for (let index = 0; index < 60; index++)
      health.update(await hand(picture(index), index), WIDTH, HEIGHT, index * STEP_MS)
    expect(meant(health.update(await hand(picture(60), 60), WIDTH, HEIGHT, 12_000))).toEqual(['coberta'])
    for (let index = 61; index < 130; index++) health.update(picture(index), WIDTH, HEIGHT, index * STEP_MS)
    expect(worst([health.update(picture(130), WIDTH, HEIGHT, 26_000)])).toBeLessThan(0.1)
  })

  it('may be an empty wall; then a dark picture stays below the threshold', async () => {
    const health = createPictureHealth()
    const values: Values[] = []
    for (let index = 0; index < 80; index++)
      values.push(health.update(await wall(picture(0), index), WIDTH, HEIGHT, index * STEP_MS))
    expect(worst(values)).toBeLessThan(0.1)
    const dim: Scene = (gray) =>
      noisy(
        painted(gray, (_, x) => 40 - x * 0.02),
        1.5,
        dice,
      )
    for (let index = 80; index < 110; index++)
      values.push(health.update(await dim(picture(0), index), WIDTH, HEIGHT, index * STEP_MS))
    expect(meant(last(values))).toEqual([])
  })

  it('does not include a cover after an hour, but a new view after half a day, beside the old one', () => {
    const health = createPictureHealth()
    let frameMs = 0
    const show = (scene: (gray: Uint8Array) => Uint8Array, forMs: number, stepMs: number) => {
      let values: Values | null = null
      for (const until = frameMs + forMs; frameMs < until; frameMs += stepMs)
        values = health.update(scene(picture(Math.round(frameMs / 200))), WIDTH, HEIGHT, frameMs)
      return values as unknown as Values
    }
    const turned = (gray: Uint8Array) => gray.slice().reverse()
    show((gray) => gray, 15_000, STEP_MS)
    expect(meant(show(turned, 3_600_000, 8_000))).toEqual(['desviada'])
    expect(meant(show(turned, 4 * 3_600_000, 8_000))).toEqual([])
    expect(meant(show((gray) => gray, 15_000, STEP_MS))).toEqual([])
    expect(meant(show(turned, 15_000, STEP_MS))).toEqual([])
  })

  it('rejects a buffer of the wrong size', () => {
    expect(() => createPictureHealth().update(new Uint8Array(10), WIDTH, HEIGHT, 0)).toThrow(RangeError)
  })
})
