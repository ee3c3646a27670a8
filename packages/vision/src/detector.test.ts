import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Detection } from '@vigia/ias/detection'
import { type Box, iou } from '@vigia/ias/geometry'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cocoLabels } from './coco-labels.ts'
import { createDetector, type Detector } from './detector.ts'
import { chooseModel, defaultDetectorId, defaultSecondOpinionId, modelManifest } from './registry.ts'
import { bring } from './testing/models.ts'
import { asInput, patio, readPatio } from './testing/still.ts'

const at = (found: readonly Detection[], place: Box) => found.filter((detection) => iou(detection, place) > 0.45)

describe.each([
  [defaultDetectorId, 0.45],
  [defaultSecondOpinionId, 0.35],
] as const)('%s', (id, minConfidence) => {
  let detector: Detector
  let packed: Uint8Array
  beforeAll(async () => {
    detector = await createDetector(modelManifest(id))
    packed = await asInput(await readPatio(), detector)
  })
  afterAll(() => detector.close())

  it('finds each person once and nothing else as a person', async () => {
    const found = await detector.detect(packed, { minConfidence, labels: ['person'] })
    for (const person of patio.people) expect(at(found, person)).toMatchObject([{ rotulo: 'person' }])
    const nowhere = found.filter(({ x, y }) => x < 0.14 || (y > 0.6 && x < 0.7))
    expect(nowhere).toEqual([])
    expect(found.length).toBeLessThanOrEqual(patio.people.length + 2)
  })

  it('reports the van as one vehicle, not as a car and a truck', async () => {
    const found = await detector.detect(packed, { minConfidence: 0.3, labels: ['car', 'truck', 'bus'] })
    expect(at(found, patio.van)).toHaveLength(1)
  })

  it('sorts by confidence, clips boxes to the picture and finds nothing on a grey one', async () => {
    const found = await detector.detect(packed, { minConfidence: 0.1 })
    expect(found.map(({ confianca }) => confianca)).toEqual(
      found.map(({ confianca }) => confianca).sort((a, b) => b - a),
    )
    for (const { x, y, w, h } of found) {
      expect(Math.min(x, y, w, h)).toBeGreaterThanOrEqual(0)
      expect(Math.max(x + w, y + h)).toBeLessThanOrEqual(1 + 1e-9)
    }
    const grey = new Uint8Array(packed.length).fill(110)
    expect(await detector.detect(grey, { minConfidence: 0.3, labels: ['person'] })).toEqual([])
  })

  it('runs calls in order, each with its own picture', async () => {
    const grey = new Uint8Array(packed.length).fill(110)
    const options = { minConfidence, labels: ['person'] }
    const alone = await detector.detect(packed, options)
    const together = await Promise.all([packed, grey, packed, grey].map((picture) => detector.detect(picture, options)))
    expect(together).toEqual([alone, [], alone, []])
  })

  it('rejects a picture of another size and stays usable', async () => {
    await expect(detector.detect(packed.subarray(3), { minConfidence })).rejects.toThrow(RangeError)
    await expect(detector.detect(packed, { minConfidence, labels: ['unicorn'] })).resolves.toEqual([])
  })
})

describe('createDetector', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vigia-vision-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('closes after the current runs and rejects later calls', async () => {
    const detector = await createDetector(modelManifest(defaultSecondOpinionId))
    const grey = new Uint8Array(detector.input.width * detector.input.height * 3)
    const last = detector.detect(grey, { minConfidence: 0.5 })
    await detector.close()
    await detector.close()
    await expect(last).resolves.toEqual([])
    await expect(detector.detect(grey, { minConfidence: 0.5 })).rejects.toThrow('closed')
  })

  it('does not load a missing file or a file with another hash than the manifest', async () => {
    const manifest = modelManifest(defaultSecondOpinionId)
    const changed = join(folder, 'changed.onnx')
    const bytes = await readFile(manifest.caminho)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    await writeFile(changed, bytes)
    await expect(createDetector({ ...manifest, caminho: changed })).rejects.toMatchObject({
      code: 'interno',
      detalhe: expect.stringContaining('não tem o sha256'),
    })
    await expect(createDetector({ ...manifest, caminho: join(folder, 'none.onnx') })).rejects.toMatchObject({
      detalhe: expect.stringContaining('não foi encontrado'),
    })
  })

  it('reports a mismatch of model and manifest', async () => {
    const manifest = modelManifest(defaultSecondOpinionId)
    for (const wrong of [
      { ...manifest, decodificador: 'nanodet' as const },
      { ...manifest, rotulos: manifest.rotulos.slice(1) },
      { ...manifest, entrada: { ...manifest.entrada, largura: 320 } },
    ]) {
      await expect(createDetector(wrong)).rejects.toMatchObject({ detalhe: expect.stringContaining('manifesto') })
    }
  })
})

const models = process.env.VIGIA_MODELOS_TESTE ?? fileURLToPath(new URL('../../../../shared/models', import.meta.url))

describe.each([416, 640])('a model of the customer: YOLOX for %d pixels', (side) => {
  const yolox = join(models, `yolox_nano_${side}x${side}.onnx`)
  let folder: string
  let detector: Detector
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vigia-yolox-'))
    if (!existsSync(yolox)) return
    await bring(folder, 'yolox-nano', await readFile(yolox), {
      tarefa: 'objetos',
      entrada: {
        largura: side,
        altura: side,
        quadro: { largura: side, altura: (side * 3) / 4 },
        cores: 'bgr',
        disposicao: 'nchw',
        tipo: 'float32',
      },
      decodificador: 'yolox',
      rotulos: [...cocoLabels],
    })
    detector = await createDetector(await chooseModel('objetos', folder))
  })
  afterAll(async () => {
    await detector?.close()
    await rm(folder, { recursive: true })
  })

  it.runIf(existsSync(yolox))(`finds every person and one van (needs ${yolox})`, async () => {
    const packed = await asInput(await readPatio(), detector)
    const people = await detector.detect(packed, { minConfidence: 0.4, labels: ['person'] })
    for (const person of patio.people) expect(at(people, person)).not.toEqual([])
    const vehicles = await detector.detect(packed, { minConfidence: 0.3, labels: ['car', 'truck', 'bus'] })
    expect(at(vehicles, patio.van)).toHaveLength(1)
  })
})
