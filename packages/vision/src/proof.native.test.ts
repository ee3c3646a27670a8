import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDetector } from './detector.ts'
import { proofPicture, sample } from './proof.ts'
import { chooseModel } from './registry.ts'
import { bring, toyDetector, toyPicture } from './testing/models.ts'

const rotulos = ['hardhat', 'no_hardhat', 'vest']
const normalRows = [
  [16, 16, 16, 8, 0.9, 0, 0.1],
  [48, 32, 64, 8, 0, 0.5, 0],
]
/** A version with other boxes, so that a test sees which one is in use. */
const fasterRows = normalRows.map(([x = 0, y = 0, ...rest]) => [x + 4, y, ...rest])

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigia-prova-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Stored outputs of `toyDetector(rows, false)`, with boxes moved by `error` pixels. */
async function store(name: string, rows: readonly (readonly number[])[], error = 0): Promise<void> {
  const picture = proofPicture(64, 64)
  const green = picture.filter((_, at) => at % 3 === 1).reduce((sum, value) => sum + value, 0) / (64 * 64 * 255)
  const values = rows.flatMap((row) => row.map((value, at) => (at < 4 ? value + error : value * green)))
  const proof = sample({ output: { data: Float32Array.from(values), dims: [1, rows.length, 7] } })
  await writeFile(join(folder, name), JSON.stringify(proof))
}

async function open() {
  const faster = toyDetector(fasterRows, false)
  await writeFile(join(folder, 'leve.onnx'), faster)
  const sha256 = createHash('sha256').update(faster).digest('hex')
  await bring(folder, 'meu-yolo', toyDetector(normalRows, false), {
    tarefa: 'epi',
    decodificador: 'yolov8',
    rotulos,
    prova: 'prova.txt.json',
    leve: { arquivo: 'leve.onnx', sha256, prova: 'prova-leve.txt.json' },
  })
  return createDetector(await chooseModel('epi', folder))
}

/** Left edge of the best detection: 8 for the normal version, 12 for the faster one. */
async function leftEdge(detector: Awaited<ReturnType<typeof open>>): Promise<number> {
  const [best] = await detector.detect(toyPicture(0, 255, 0), { minConfidence: 0.8 })
  await detector.close()
  return (best?.x ?? 0) * 64
}

it('uses the faster version if its outputs are the stored ones', async () => {
  await store('prova.txt.json', normalRows)
  await store('prova-leve.txt.json', fasterRows)
  const detector = await open()
  expect(detector.aviso).toBeNull()
  expect(await leftEdge(detector)).toBeCloseTo(12, 4)
})

it('uses the normal version, and says so, where the faster one computes something else', async () => {
  await store('prova.txt.json', normalRows)
  await store('prova-leve.txt.json', fasterRows, 8)
  const detector = await open()
  expect(detector.aviso).toBe(
    'A versão normal do modelo meu-yolo é usada. O modelo meu-yolo não combina com o seu manifesto: ' +
      'neste processador a saída output não dá os valores da prova.',
  )
  expect(await leftEdge(detector)).toBeCloseTo(8, 4)
})

it('uses the normal version where the proof of the faster one is missing', async () => {
  await store('prova.txt.json', normalRows)
  const detector = await open()
  expect(detector.aviso).toMatch(/^A versão normal do modelo meu-yolo é usada\. .*prova-leve.* não pode ser lida\.$/)
  expect(await leftEdge(detector)).toBeCloseTo(8, 4)
})

it('refuses a model with two versions of which none computes the stored outputs', async () => {
  await store('prova.txt.json', normalRows, 8)
  await store('prova-leve.txt.json', fasterRows, 8)
  await expect(open()).rejects.toMatchObject({
    detalhe: expect.stringMatching(/^O modelo meu-yolo não combina .* a saída output não dá os valores da prova\.$/),
  })
})
