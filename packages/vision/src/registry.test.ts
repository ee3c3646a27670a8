import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cocoLabels, cocoLabels90 } from './coco-labels.ts'
import { chooseModel, defaultDetectorId, defaultSecondOpinionId, modelManifest, secondStageOf } from './registry.ts'

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

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigia-manifest-'))
})
afterEach(() => rm(folder, { recursive: true }))

async function put(name: string, content: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const refused = (sentence: string) => ({ code: 'validacao', detalhe: expect.stringContaining(sentence) })

describe('modelManifest', () => {
  it('has built-in models of different families', () => {
    const [first, second] = [modelManifest(defaultDetectorId), modelManifest(defaultSecondOpinionId)]
    expect(first.decodificador).not.toBe(second.decodificador)
    expect([first, second].every(({ rotulos }) => rotulos.includes('person'))).toBe(true)
  })

  it('names the known models for an unknown id', () => {
    expect(() => modelManifest('yolo-de-alguem')).toThrow(/nanodet-g-416/)
  })
})

describe('cocoLabels90', () => {
  it('assigns the 80 classes to the numbers of the 90-class table', () => {
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

describe('secondStageOf', () => {
  const pesos = { fire: { minimo: 0.2, detector: 1, area: 0, constante: 0 } }
  const second = { ...valid, tarefa: 'fogo', uso: 'reavaliacao', decodificador: 'classificador', rotulos: ['fire'] }

  it('returns the classifier of the built-in detector, and none for a model of the installer', async () => {
    const own = modelManifest('fogo-nanodet-g-416')
    expect(await secondStageOf(own, null)).toMatchObject({ id: 'fogo-propostas-300' })
    expect(await secondStageOf({ ...own, id: 'meu-fogo' }, null)).toBeNull()
    expect(await secondStageOf(modelManifest(defaultDetectorId), null)).toBeNull()
  })

  it('returns the classifier of the folder that names the detector', async () => {
    await put('fogo.json', { ...valid, id: 'meu-fogo', tarefa: 'fogo', rotulos: ['fire'] })
    await put('crops.json', { ...second, reavalia: { detector: 'meu-fogo', pesos } })
    const detector = await chooseModel('fogo', folder)
    expect(await secondStageOf(detector, folder)).toMatchObject({ id: 'meu-modelo', reavalia: { pesos } })
    expect(await secondStageOf(modelManifest('fogo-nanodet-g-416'), folder)).toBeNull()
  })

  it('refuses a classifier of this use without weights', async () => {
    await put('crops.json', second)
    await expect(secondStageOf(modelManifest('fogo-nanodet-g-416'), folder)).rejects.toMatchObject(refused('reavalia'))
  })
})

describe('chooseModel', () => {
  it('returns the built-in model of the task and use when the folder has none', async () => {
    await put('epi.json', { ...valid, tarefa: 'epi', rotulos: ['no_vest'] })
    for (const where of [null, folder]) {
      expect(await chooseModel('objetos', where)).toMatchObject({ id: defaultDetectorId, uso: 'deteccao' })
      expect(await chooseModel('objetos', where, 'confirmacao')).toMatchObject({ id: defaultSecondOpinionId })
    }
  })

  it('prefers the manifest of the folder, with defaults and the model file beside it', async () => {
    await put('modelo.json', valid)
    expect(await chooseModel('objetos', folder)).toMatchObject({
      id: 'meu-modelo',
      caminho: join(folder, 'meu-modelo.onnx'),
      uso: 'deteccao',
      entrada: { media: [0, 0, 0], desvio: [1, 1, 1] },
    })
    // It does not apply to the second opinion.
    expect(await chooseModel('objetos', folder, 'confirmacao')).toMatchObject({ id: defaultSecondOpinionId })
  })

  it('distinguishes the models of one task for detection and confirmation', async () => {
    const fire = { ...valid, tarefa: 'fogo', rotulos: ['fire', 'smoke'] }
    await put('a.json', { ...fire, id: 'olhar' })
    await put('b.json', { ...fire, id: 'confirmar', decodificador: 'classificador' })
    expect(await chooseModel('fogo', folder)).toMatchObject({ id: 'olhar' })
    expect(await chooseModel('fogo', folder, 'confirmacao')).toMatchObject({ id: 'confirmar' })
    await put('c.json', { ...fire, id: 'outro', uso: 'confirmacao' })
    expect(await chooseModel('fogo', folder)).toMatchObject({ id: 'olhar' })
    await expect(chooseModel('fogo', folder, 'confirmacao')).rejects.toMatchObject(refused('dois manifestos'))
  })

  it('renames the labels to those of the product', async () => {
    const rotulos = ['Hardhat', 'NO-Hardhat', 'Mask', 'vest']
    const nomes = { Hardhat: 'hardhat', 'NO-Hardhat': 'no_hardhat', Mask: '' }
    await put('epi.json', { ...valid, tarefa: 'epi', rotulos, nomes })
    expect((await chooseModel('epi', folder)).rotulos).toEqual(['hardhat', 'no_hardhat', '', 'vest'])
  })

  it('names both files when two are for one task', async () => {
    const [a, b] = [await put('a.json', valid), await put('b.json', { ...valid, id: 'outro' })]
    await expect(chooseModel('objetos', folder)).rejects.toMatchObject(refused(`${a} e ${b}`))
  })

  it('rejects a model without any label of its task', async () => {
    await put('fogo.json', { ...valid, tarefa: 'fogo', rotulos: ['chama', 'fumaca'] })
    await expect(chooseModel('fogo', folder)).rejects.toMatchObject(refused('rótulos da tarefa fogo: fire, smoke'))
  })

  it.each([
    ['a file outside its folder', { ...valid, arquivo: '../outro.onnx' }, 'arquivo'],
    ['an absolute path', { ...valid, arquivo: '/etc/outro.onnx' }, 'arquivo'],
    ['an address', { ...valid, arquivo: 'https://exemplo.com/m.onnx' }, 'arquivo'],
    ['a hash that is none', { ...valid, sha256: 'x' }, 'sha256'],
    ['no hash', { ...valid, sha256: undefined }, 'sha256'],
    ['an unknown decoder', { ...valid, decodificador: 'yolov9' }, 'decodificador'],
    ['an unknown field', { ...valid, url: 'x' }, 'url (não existe)'],
    ['a division by zero', { ...valid, entrada: { ...valid.entrada, desvio: [1, 0, 1] } }, 'entrada.desvio'],
    ['a name for a label that is not there', { ...valid, nomes: { pessoa: 'person' } }, 'nomes'],
    ['a classifier for detection', { ...valid, decodificador: 'classificador', uso: 'deteccao' }, 'uso'],
    [
      'a picture larger than the input',
      { ...valid, entrada: { ...valid.entrada, quadro: { largura: 800, altura: 600 } } },
      'entrada.quadro',
    ],
  ])('rejects %s and names the field', async (_, manifest, field) => {
    await put('modelo.json', manifest)
    await expect(chooseModel('objetos', folder)).rejects.toMatchObject(refused(`Corrija: ${field}.`))
    // Other tasks of the folder are unaffected.
    await put('modelo.json', { ...manifest, tarefa: 'epi' })
    expect(await chooseModel('objetos', folder)).toMatchObject({ id: defaultDetectorId })
  })

  it('rejects invalid JSON for the task that it names', async () => {
    const cut = JSON.stringify({ ...valid, tarefa: 'epi', rotulos: ['no_vest'] }).slice(0, -20)
    const path = await put('epi.json', cut)
    await expect(chooseModel('epi', folder)).rejects.toMatchObject(refused(`${path} não é JSON válido`))
    expect(await chooseModel('objetos', folder)).toMatchObject({ id: defaultDetectorId })
  })

  it('a file with an unreadable task affects only the tasks without their own manifest', async () => {
    await put('modelo.json', valid)
    const path = await put('nada.json', '')
    expect(await chooseModel('objetos', folder)).toMatchObject({ id: 'meu-modelo' })
    await expect(chooseModel('epi', folder)).rejects.toMatchObject(refused(`${path} não é JSON`))
    await put('nada.json', { ...valid, tarefa: 'rostos' })
    await expect(chooseModel('epi', folder)).rejects.toMatchObject(refused('Corrija: tarefa.'))
  })

  it('reports a missing folder', async () => {
    await expect(chooseModel('epi', join(folder, 'x'))).rejects.toMatchObject(refused('pasta de modelos'))
  })
})
