import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDetector } from '../detector.ts'
import { chooseModel } from '../registry.ts'
import { bring, toyDetector, toyPicture } from '../testing/models.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigia-yolov8-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function open(model: Buffer, changes: object) {
  await bring(folder, 'meu-yolo', model, { tarefa: 'epi', decodificador: 'yolov8', ...changes })
  return createDetector(await chooseModel('epi', folder))
}

/** Centre x, y, width, height in pixels of 64, then the scores of helmet, bare head, vest. */
const rows = [
  [16, 16, 16, 8, 0.9, 0, 0.1],
  [17, 16, 16, 8, 0.6, 0.2, 0],
  [16, 17, 16, 8, 0.1, 0.3, 0.8],
  [48, 32, 64, 8, 0, 0.5, 0],
  [32, 56, 4, 4, 0, 0, 0.2],
]
const rotulos = ['hardhat', 'no_hardhat', 'vest']

describe.each([
  ['[1, values, N]', true],
  ['[1, N, values]', false],
])('the layout of YOLOv8 %s', (_, planes) => {
  it('decodes boxes and labels, and suppresses a helmet only by the same helmet, not by a vest', async () => {
    const detector = await open(toyDetector(rows, planes), { rotulos })
    const found = await detector.detect(toyPicture(0, 255, 0), { minConfidence: 0.3 })
    expect(found.map(({ rotulo, confianca }) => `${rotulo} ${confianca.toFixed(2)}`)).toEqual([
      'hardhat 0.90',
      'vest 0.80',
      'no_hardhat 0.50',
    ])
    expect(found[0]).toMatchObject({ x: 8 / 64, y: 12 / 64, w: 16 / 64, h: 8 / 64 })
    // Clipped at the border of the picture.
    expect(found[2]).toMatchObject({ x: 16 / 64, y: 28 / 64, w: 48 / 64, h: 8 / 64 })
    // The scores scale with the brightness of the picture.
    expect(await detector.detect(toyPicture(0, 128, 0), { minConfidence: 0.42 })).toHaveLength(1)
    await detector.close()
  })

  it('returns only the requested labels, under the names of the product', async () => {
    const detector = await open(toyDetector(rows, planes), {
      rotulos: ['Hardhat', 'NO-Hardhat', 'Vest'],
      nomes: { 'NO-Hardhat': 'no_hardhat', Hardhat: '' },
    })
    const picture = toyPicture(0, 255, 0)
    const bare = await detector.detect(picture, { minConfidence: 0.25, labels: ['no_hardhat'] })
    expect(bare.map(({ confianca }) => confianca.toFixed(1))).toEqual(['0.5', '0.3'])
    const all = await detector.detect(picture, { minConfidence: 0.25 })
    expect(new Set(all.map(({ rotulo }) => rotulo))).toEqual(new Set(['no_hardhat', 'Vest']))
    await detector.close()
  })

  it('rejects a file with another number of classes', async () => {
    await expect(open(toyDetector(rows, planes), { rotulos: [...rotulos, 'no_vest'] })).rejects.toMatchObject({
      detalhe: expect.stringMatching(/não combina com o seu manifesto: a saída output é \[1,\d,\d\].* pedem \[1,8,…\]/),
    })
  })
})
