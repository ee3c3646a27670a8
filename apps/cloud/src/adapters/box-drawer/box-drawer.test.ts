import { fileURLToPath } from 'node:url'
import { openPicture } from '@vigia/vision/picture'
import { encodeJpeg } from '@vigia/vision/testing/jpeg'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { createBoxDrawer } from './box-drawer.ts'

const BOX = { x: 0.25, y: 0.25, w: 0.5, h: 0.5 }

const drawerOf = (options: Partial<Parameters<typeof createBoxDrawer>[0]> = {}) => {
  const drawer = createBoxDrawer({ log: pino({ level: 'silent' }), timeoutMs: 30_000, ...options })
  onTestFinished(() => drawer.stop())
  return drawer
}
const frame = () => encodeJpeg(Buffer.alloc(320 * 180 * 3, 120), 320, 180)

it('draws in a process of its own, also several pictures at once', async () => {
  const drawer = drawerOf()
  const jpeg = await frame()
  const drawn = await Promise.all([1, 2, 3].map(() => drawer.draw(jpeg, [BOX])))
  for (const each of drawn) {
    const picture = await openPicture(each)
    expect([picture.width, picture.height]).toEqual([320, 180])
    const [red = 0, green = 0] = await picture.cut(
      { left: 78, top: 90, width: 1, height: 1 },
      { width: 1, height: 1, format: 'rgb' },
    )
    expect(red - green).toBeGreaterThan(50)
  }
  // The process ended with the last picture, and the next one starts it again.
  expect((await drawer.draw(jpeg, [BOX])).equals(jpeg)).toBe(false)
})

it('leaves a picture as it is without a box, and one that it cannot read', async () => {
  const drawer = drawerOf()
  const jpeg = await frame()
  expect(await drawer.draw(jpeg, [])).toBe(jpeg)
  const broken = jpeg.subarray(0, 200)
  expect(await drawer.draw(broken, [BOX])).toBe(broken)
})

it.each([
  ['ends', new URL('../../test/verifier-programs/faulty.ts', import.meta.url)],
  ['gives no answer', new URL('../../test/verifier-programs/silent.ts', import.meta.url)],
])('leaves a picture as it is when the process %s', async (_fault, program) => {
  const drawer = drawerOf({ program: fileURLToPath(program), timeoutMs: 1_000 })
  const jpeg = await frame()
  expect(await drawer.draw(jpeg, [BOX])).toBe(jpeg)
})
