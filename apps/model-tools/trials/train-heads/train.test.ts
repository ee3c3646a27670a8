import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtInModels } from '@vigia/vision/built-in-models'
import { createClassifier } from '@vigia/vision/classifier'
import { locate, manifestSchema } from '@vigia/vision/manifest'
import { openPicture } from '@vigia/vision/picture'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRandom } from './random.ts'
import { train } from './train.ts'

const PICTURES = 2
const [WIDTH, HEIGHT] = [160, 120]
const orange = { r: 255, g: 120, b: 10 }
const grey = { r: 120, g: 120, b: 130 }

/** A picture with a rectangle of one colour on a noisy ground. */
async function drawn(seed: string, colour: typeof orange): Promise<{ jpeg: Buffer; label: string }> {
  const random = createRandom(seed)
  const pixels = Buffer.from(Array.from({ length: WIDTH * HEIGHT * 3 }, () => Math.round(random.between(20, 90))))
  const [w, h] = [Math.round(random.between(40, 60)), Math.round(random.between(40, 60))]
  const [left, top] = [Math.round(random.between(0, WIDTH - w)), Math.round(random.between(0, HEIGHT - h))]
  const jpeg = await sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .composite([{ input: { create: { width: w, height: h, channels: 3, background: colour } }, left, top }])
    .jpeg()
    .toBuffer()
  const centre = `${(left + w / 2) / WIDTH} ${(top + h / 2) / HEIGHT}`
  return { jpeg, label: `0 ${centre} ${w / WIDTH} ${h / HEIGHT}\n` }
}

async function drawFolder(folder: string, colour: typeof orange): Promise<void> {
  await mkdir(join(folder, 'images'), { recursive: true })
  await mkdir(join(folder, 'labels'))
  for (let at = 0; at < PICTURES; at++) {
    const { jpeg, label } = await drawn(`${folder.split('/').slice(-2).join()} ${at}`, colour)
    await writeFile(join(folder, 'images', `p${at}.jpg`), jpeg)
    await writeFile(join(folder, 'labels', `p${at}.txt`), label)
  }
}

let data: string
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'vigia-train-'))
  for (const name of ['fire-train/train', 'fire-train/valid', 'fire-more-train', 'fire-only-train'])
    await drawFolder(join(data, name), orange)
  for (const name of ['negatives-train', 'ppe-train']) await drawFolder(join(data, name), grey)
})
afterAll(() => rm(data, { recursive: true }))

it('yields the same bytes and figures for the same seed, and a model that the product runs', {
  timeout: 240_000,
}, async () => {
  const options = { data, progress: () => {} }
  const first = await train('fogo', { ...options, seed: 7, every: 1 })
  const again = await train('fogo', { ...options, seed: 7, every: 1 })
  const other = await train('fogo', { ...options, seed: 8, every: 4 })
  expect([again.sha256, again.report, again.weights]).toEqual([first.sha256, first.report, first.weights])
  expect(other.sha256).not.toBe(first.sha256)

  const arquivo = 'fogo.onnx'
  await writeFile(join(data, arquivo), first.model)
  const own = builtInModels.find(({ id }) => id === 'fogo-mobilenetv2-300')
  const manifest = locate(manifestSchema.parse({ ...own, prova: undefined, arquivo, sha256: first.sha256 }), data)
  const classifier = await createClassifier(manifest)
  const fireOf = async (colour: typeof orange) => {
    const { jpeg } = await drawn('unseen', colour)
    const picture = await openPicture(jpeg)
    const all = { left: 0, top: 0, width: WIDTH, height: HEIGHT }
    return (await classifier.classify(await picture.cut(all, classifier.input))).get('fire') ?? Number.NaN
  }
  expect(await fireOf(orange)).toBeGreaterThan(await fireOf(grey))
  await classifier.close()
})

it('names a training folder that is absent', async () => {
  await expect(train('epi', { data, seed: 7, every: 1, progress: () => {} })).rejects.toThrow(
    /no such file.*ppe-(more|heads|hats)-train/,
  )
})
