import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createClassifier } from './classifier.ts'
import { createDetector } from './detector.ts'
import { chooseModel } from './registry.ts'
import { bring, toyClassifier, toyPicture } from './testing/models.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigia-classifier-'))
})
afterEach(() => rm(folder, { recursive: true }))

const colours = { tarefa: 'fogo', decodificador: 'classificador', rotulos: ['fire', '', 'smoke'] }

async function chosen(model: Buffer, changes: object) {
  await bring(folder, 'cores', model, { ...colours, ...changes })
  return chooseModel('fogo', folder, 'confirmacao')
}

describe('createClassifier', () => {
  it('returns the probability of each label and runs calls in order', async () => {
    const classifier = await createClassifier(await chosen(toyClassifier(), {}))
    expect([classifier.id, [...classifier.labels]]).toEqual(['cores', ['fire', 'smoke']])
    const [red, blue] = await Promise.all([
      classifier.classify(toyPicture(255, 0, 0)),
      classifier.classify(toyPicture(0, 255, 51)),
    ])
    expect([...red]).toEqual([
      ['fire', 1],
      ['smoke', 0],
    ])
    expect(blue.get('smoke')).toBeCloseTo(0.2, 5)
    await expect(classifier.classify(new Uint8Array(3))).rejects.toThrow(RangeError)
    await classifier.close()
    await expect(classifier.classify(toyPicture(0, 0, 0))).rejects.toThrow('closed')
  })

  it('takes the higher probability of two classes with one name', async () => {
    const names = { rotulos: ['chama', 'brasa', 'smoke'], nomes: { chama: 'fire', brasa: 'fire' } }
    const classifier = await createClassifier(await chosen(toyClassifier(), names))
    expect((await classifier.classify(toyPicture(51, 255, 0))).get('fire')).toBe(1)
    await classifier.close()
  })

  it.each([
    ['another number of labels', toyClassifier(), { rotulos: ['fire', 'smoke'] }, 'os rótulos pedem [1,2]'],
    ['values that are no probabilities', toyClassifier(-1), {}, 'não é de probabilidades'],
    ['a model with boxes', toyClassifier(), { decodificador: 'yolox', uso: 'confirmacao' }, 'não é um classificador'],
  ])('refuses %s', async (_, model, changes, sentence) => {
    await expect(chosen(model, changes).then((manifest) => createClassifier(manifest))).rejects.toMatchObject({
      detalhe: expect.stringContaining(sentence),
    })
  })

  it('is rejected as a detector', async () => {
    await expect(createDetector(await chosen(toyClassifier(), {}))).rejects.toMatchObject({
      detalhe: expect.stringContaining('não diz onde'),
    })
  })
})

const models = process.env.VIGIA_MODELOS_TESTE ?? fileURLToPath(new URL('../../../../shared/models', import.meta.url))
const brought = join(models, 'fire_neutral_smoke_mobilenet_224.onnx')

it.runIf(existsSync(brought))(`runs a classifier that was trained elsewhere (needs ${brought})`, async () => {
  const model = await readFile(brought)
  await bring(folder, 'fogo-mobilenet', model, {
    tarefa: 'fogo',
    decodificador: 'classificador',
    sha256: createHash('sha256').update(model).digest('hex'),
    entrada: { largura: 224, altura: 224, cores: 'rgb', disposicao: 'nhwc', tipo: 'float32', desvio: [255, 255, 255] },
    rotulos: ['fire', 'neutral', 'smoke'],
    nomes: { neutral: '' },
  })
  const classifier = await createClassifier(await chooseModel('fogo', folder, 'confirmacao'))
  const seen = await classifier.classify(new Uint8Array(224 * 224 * 3).fill(110))
  expect([...seen.keys()]).toEqual(['fire', 'smoke'])
  expect(seen.get('fire')).toBeLessThan(0.5)
  await classifier.close()
})
