import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDetector } from '../detector.ts'
import { chooseModel } from '../registry.ts'
import { bring, toyExport, toyPicture } from '../testing/models.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigia-exports-'))
})
afterEach(() => rm(folder, { recursive: true }))

const rotulos = ['hardhat', 'no_hardhat', 'vest']

async function open(model: Buffer, decodificador: string, changes: object = {}) {
  await bring(folder, 'meu-modelo', model, { tarefa: 'epi', decodificador, rotulos, ...changes })
  return createDetector(await chooseModel('epi', folder))
}

const logit = (p: number) => Math.log(p / (1 - p))
/** A helmet with 0.9 in the upper left part, a vest with 0.5 along the lower border, a helmet with 0.1. */
const logits = [
  [logit(0.9), -9, -9],
  [-9, -9, logit(0.5)],
  [logit(0.1), -9, -9],
]
const fractions = [
  [0.25, 0.25, 0.25, 0.125],
  [0.5, 0.875, 1, 0.25],
  [0.5, 0.5, 0.5, 0.5],
]
const corners = [
  [8, 12, 24, 20],
  [0, 48, 64, 64],
  [16, 16, 48, 48],
]

/** Name of the export, decoder, and the outputs of a file with that layout. */
const exports: [string, string, Parameters<typeof toyExport>[0]][] = [
  [
    'YOLOv10, or any with nms=True',
    'yolov10',
    { output0: corners.map((box, i) => [...box, [0.9, 0.5, 0.1][i] ?? 0, [0, 2, 0][i] ?? 0]) },
  ],
  ['RT-DETR or D-FINE of Transformers', 'detr', { logits, pred_boxes: fractions }],
  ['RF-DETR', 'detr', { dets: fractions, labels: logits }],
  [
    'RT-DETR or D-FINE of their authors',
    'dfine',
    { labels: [0n, 2n, 0n], boxes: corners.map((box) => box.map((side) => side / 64)), scores: [0.9, 0.5, 0.1] },
  ],
]

describe.each(exports)('an export of %s', (_, decodificador, outputs) => {
  it('yields boxes in fractions of the picture, under the names of the product', async () => {
    const detector = await open(toyExport(outputs), decodificador)
    const found = await detector.detect(toyPicture(0, 0, 0), { minConfidence: 0.4 })
    expect(found).toHaveLength(2)
    expect(found[0]).toMatchObject({ rotulo: 'hardhat', confianca: expect.closeTo(0.9, 5) })
    expect(found[0]).toMatchObject({ x: 8 / 64, y: 12 / 64, w: 16 / 64, h: 8 / 64 })
    expect(found[1]).toMatchObject({ rotulo: 'vest', x: 0, y: 48 / 64, w: 1, h: 16 / 64 })
    const helmets = await detector.detect(toyPicture(0, 0, 0), { minConfidence: 0.05, labels: ['hardhat'] })
    expect(helmets.map(({ confianca }) => confianca.toFixed(1))).toEqual(['0.9', '0.1'])
    await detector.close()
  })

  it('is refused with the reason when the manifest names another decoder', async () => {
    const other = decodificador === 'dfine' ? 'detr' : 'dfine'
    await expect(open(toyExport(outputs), other)).rejects.toMatchObject({
      detalhe: expect.stringMatching(/^O modelo meu-modelo não combina com o seu manifesto: /),
    })
  })
})

it('names the number of classes that an export of Transformers needs', async () => {
  const model = toyExport({ logits, pred_boxes: fractions })
  await expect(open(model, 'detr', { rotulos: ['no_hardhat'] })).rejects.toMatchObject({
    detalhe: expect.stringContaining('a saída logits é [1,3,3], o decodificador e os rótulos pedem [1,3,1].'),
  })
})
