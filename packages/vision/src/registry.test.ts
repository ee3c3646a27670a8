import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cocoLabels, cocoLabels90 } from './coco-labels.ts'
import { defaultDetectorId, defaultSecondOpinionId, loadManifest, modelManifest } from './registry.ts'

const valid = {
  id: 'meu-modelo',
  arquivo: 'meu-modelo.onnx',
  sha256: 'a'.repeat(64),
  tarefa: 'objetos',
  licenca: 'do cliente',
  origem: 'treinado pelo cliente',
  entrada: { largura: 640, altura: 640, cores: 'bgr', disposicao: 'nchw', tipo: 'float32' },
  decodificador: 'yolox',
  rotulos: ['person'],
}

describe('modelManifest', () => {
  it('knows the models that come with the product, each of another family', () => {
    const [first, second] = [modelManifest(defaultDetectorId), modelManifest(defaultSecondOpinionId)]
    expect(first.decodificador).not.toBe(second.decodificador)
    expect([first, second].every(({ rotulos }) => rotulos.includes('person'))).toBe(true)
  })

  it('names the known ones when asked for another', () => {
    expect(() => modelManifest('yolo-de-alguem')).toThrow(/nanodet-g-416/)
  })
})

describe('cocoLabels90', () => {
  it('places the 80 classes at the numbers of the 90-class table', () => {
    const labels = cocoLabels90()
    expect(labels).toHaveLength(90)
    expect(labels.filter(Boolean)).toEqual([...cocoLabels])
    // Numbers of the published table, counted from 1: 13 stop sign, 27 backpack, 67 dining table, 90 toothbrush.
    expect([13, 27, 67, 90].map((number) => labels[number - 1])).toEqual([
      'stop sign',
      'backpack',
      'dining table',
      'toothbrush',
    ])
  })
})

describe('loadManifest', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vigia-manifest-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  async function load(content: unknown) {
    const path = join(folder, 'modelo.json')
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
    return loadManifest(path)
  }

  it('reads a manifest, with defaults, and finds the model beside it', async () => {
    expect(await load(valid)).toMatchObject({
      caminho: join(folder, 'meu-modelo.onnx'),
      entrada: { media: [0, 0, 0], desvio: [1, 1, 1] },
    })
  })

  it.each([
    ['a file outside its folder', { ...valid, arquivo: '../outro.onnx' }, 'arquivo'],
    ['an absolute path', { ...valid, arquivo: '/etc/outro.onnx' }, 'arquivo'],
    ['an address', { ...valid, arquivo: 'https://exemplo.com/m.onnx' }, 'arquivo'],
    ['a hash that is none', { ...valid, sha256: 'x' }, 'sha256'],
    ['an unknown decoder', { ...valid, decodificador: 'yolov9' }, 'decodificador'],
    ['an unknown field', { ...valid, url: 'x' }, '(raiz)'],
    ['a division by zero', { ...valid, entrada: { ...valid.entrada, desvio: [1, 0, 1] } }, 'entrada.desvio'],
    [
      'a picture larger than the input',
      { ...valid, entrada: { ...valid.entrada, quadro: { largura: 800, altura: 600 } } },
      'entrada.quadro',
    ],
  ])('refuses %s and names the field', async (_, manifest, field) => {
    await expect(load(manifest)).rejects.toMatchObject({ code: 'validacao', detalhe: expect.stringContaining(field) })
  })

  it('refuses what is not JSON and what is not there', async () => {
    await expect(load('{')).rejects.toMatchObject({ detalhe: expect.stringContaining('JSON') })
    await expect(loadManifest(join(folder, 'nada.json'))).rejects.toMatchObject({ code: 'validacao' })
  })
})
