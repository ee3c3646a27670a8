import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { builtInModels } from './built-in-models.ts'
import { createModelRunner, type ModelState, type TarefaVisao } from './model-runner.ts'
import { defaultDetectorId, modelManifest } from './registry.ts'
import { bring, toyClassifier } from './testing/models.ts'

const ours = builtInModels.find(({ id }) => id === defaultDetectorId)
let model: Buffer
beforeAll(async () => {
  model = await readFile(modelManifest(defaultDetectorId).caminho)
})

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigia-damage-'))
})
afterEach(() => rm(folder, { recursive: true }))

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

interface Fault {
  /** Bytes of the model file; null: no file. */
  readonly bytes?: () => Buffer | null
  /** Hash in the manifest; default: that of the bytes. */
  readonly hash?: () => string
  readonly manifest?: object
}

/** The real network of the product, installed for `fogo` with a defect. */
async function bringFire({ bytes = () => model, hash, manifest }: Fault): Promise<void> {
  const content = bytes()
  await bring(folder, 'meu-fogo', content ?? Buffer.alloc(0), {
    ...ours,
    prova: undefined,
    leve: undefined,
    id: 'meu-fogo',
    arquivo: 'meu-fogo.onnx',
    sha256: hash?.() ?? sha256(content ?? model),
    tarefa: 'fogo',
    nomes: { person: 'fire' },
    ...manifest,
  })
  if (!content) await rm(join(folder, 'meu-fogo.onnx'))
}

/** Loads both models, runs the one for objects and returns the state of the other. */
async function load(): Promise<ModelState | undefined> {
  const wanted: ReadonlySet<TarefaVisao> = new Set(['fogo', 'objetos'])
  const { promise: settled, resolve } = Promise.withResolvers<void>()
  const runner = createModelRunner({
    folder,
    onChange: () => {
      if (runner.states().every(({ estado }) => estado !== 'carregando')) resolve()
    },
    onBroken: (error) => {
      throw error
    },
  })
  runner.need(wanted)
  await settled
  expect(runner.states().find(({ tarefa }) => tarefa === 'objetos')).toMatchObject({ estado: 'pronto', motivo: null })
  const grey = new Uint8Array(416 * 312 * 3).fill(110)
  expect(await runner.detect('objetos', [grey], { minConfidence: 0.5 })).toEqual([[]])
  const fire = runner.states().find(({ tarefa }) => tarefa === 'fogo')
  if (fire?.estado === 'indisponivel') {
    expect(runner.model('fogo')).toBeNull()
    await expect(runner.detect('fogo', [grey], { minConfidence: 0.5 })).rejects.toThrow('no usable model for fogo')
  }
  await runner.close()
  return fire
}

it('the model of an installer replaces the built-in one of its task', async () => {
  await bringFire({})
  expect(await load()).toMatchObject({ tarefa: 'fogo', id: 'meu-fogo', estado: 'pronto', motivo: null })
})

const faults: [string, Fault, string][] = [
  ['a file that is missing', { bytes: () => null }, 'O arquivo do modelo meu-fogo não foi encontrado em {caminho}.'],
  [
    'a truncated file',
    { bytes: () => model.subarray(0, 1_000_000), hash: () => sha256(model) },
    'O arquivo do modelo meu-fogo em {caminho} (1000000 bytes) não tem o sha256 do seu manifesto: ' +
      'está incompleto ou é outro. Copie-o outra vez.',
  ],
  [
    'an empty file',
    { bytes: () => Buffer.alloc(0), hash: () => sha256(model) },
    'O arquivo do modelo meu-fogo em {caminho} (0 bytes) não tem o sha256 do seu manifesto: está ' +
      'incompleto ou é outro. Copie-o outra vez.',
  ],
  [
    'a truncated file whose hash was made afterwards',
    { bytes: () => model.subarray(0, 1_000_000) },
    'O modelo meu-fogo não pôde ser carregado. Confira se é um ONNX válido (',
  ],
  [
    'no ONNX at all',
    { bytes: () => Buffer.from('<html>404</html>') },
    'O modelo meu-fogo não pôde ser carregado. Confira se é um ONNX válido (',
  ],
  [
    'an input of another size',
    { manifest: { entrada: { ...ours?.entrada, largura: 640, altura: 640 } } },
    'O modelo meu-fogo não combina com o seu manifesto: a entrada do arquivo é float32 ' +
      '[1,3,320,416], a do manifesto é float32 [1,3,640,640].',
  ],
  [
    'an input of another type',
    { manifest: { entrada: { ...ours?.entrada, tipo: 'uint8' } } },
    'O modelo meu-fogo não combina com o seu manifesto: a entrada do arquivo é float32 ' +
      '[1,3,320,416], a do manifesto é uint8 [1,3,320,416].',
  ],
  [
    'another number of labels',
    { manifest: { rotulos: ['fire', 'smoke'], nomes: {} } },
    'O modelo meu-fogo não combina com o seu manifesto: a saída scores_8 é [1,2080,80], o ' +
      'decodificador e os rótulos pedem [1,2080,2].',
  ],
  [
    'another decoder',
    { manifest: { decodificador: 'yolox' } },
    'O modelo meu-fogo não combina com o seu manifesto: o decodificador pede uma só saída; o ' +
      'arquivo tem scores_8, distances_8, scores_16, distances_16, scores_32, distances_32.',
  ],
  [
    'outputs of another network',
    {
      bytes: () => toyClassifier(),
      manifest: { entrada: { ...ours?.entrada, largura: 64, altura: 64, quadro: undefined } },
    },
    'O modelo meu-fogo não combina com o seu manifesto: falta a saída scores_8 [1,64,80]; o arquivo tem output.',
  ],
  ['a hash that is none', { hash: () => 'x' }, 'O manifesto do modelo em {manifesto} está incorreto. Corrija: sha256.'],
  [
    'labels of something else',
    { manifest: { nomes: {} } },
    'O modelo meu-fogo não conhece nenhum dos rótulos da tarefa fogo: fire, smoke. Corrija rotulos, ' +
      'ou diga em nomes como o modelo os chama.',
  ],
]

it.each(faults)('%s yields one clear line, and the other models run', async (_, fault, sentence) => {
  await bringFire(fault)
  const fire = await load()
  expect(fire?.estado).toBe('indisponivel')
  const wanted = sentence
    .replace('{caminho}', join(folder, 'meu-fogo.onnx'))
    .replace('{manifesto}', join(folder, 'meu-fogo.json'))
  expect(fire?.motivo?.slice(0, wanted.length)).toBe(wanted)
  expect(fire?.motivo).not.toContain('\n')
})

it('a truncated manifest yields one clear line, and the other models run', async () => {
  await bringFire({})
  const path = join(folder, 'meu-fogo.json')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.slice(0, -30))
  expect(await load()).toMatchObject({
    estado: 'indisponivel',
    id: null,
    motivo: `O manifesto do modelo em ${path} não é JSON válido.`,
  })
})
