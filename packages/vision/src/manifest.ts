import { dirname, join } from 'node:path'
import type { TarefaModelo } from '@vigia/contracts/ias'
import { z } from 'zod'

const threeNumbers = z.tuple([z.number(), z.number(), z.number()])
const side = z.int().min(32).max(2048)

/** Input of a network, in the order of its memory. */
const entradaSchema = z.strictObject({
  largura: side,
  altura: side,
  /** Top left part of the input to which the picture is stretched; the rest is grey. Default: the whole input. */
  quadro: z.strictObject({ largura: side, altura: side }).optional(),
  cores: z.enum(['rgb', 'bgr']),
  disposicao: z.enum(['nchw', 'nhwc']),
  tipo: z.enum(['float32', 'uint8']),
  /** (value 0–255 − media) / desvio, per channel in the order of `cores`; only for float32. */
  media: threeNumbers.default([0, 0, 0]),
  desvio: threeNumbers.refine((values) => values.every((value) => value > 0)).default([1, 1, 1]),
})

const quadroInside = ({ largura, altura, quadro }: z.output<typeof entradaSchema>) =>
  !quadro || (quadro.largura <= largura && quadro.altura <= altura)

/** Tasks of the models of this package; `placas` has another reader. */
export type TarefaVisao = Exclude<TarefaModelo, 'placas'>
export const tarefasVisao = ['objetos', 'epi', 'fogo'] as const satisfies readonly TarefaVisao[]
export const isTarefaVisao = (tarefa: TarefaModelo): tarefa is TarefaVisao =>
  (tarefasVisao as readonly TarefaModelo[]).includes(tarefa)

const label = z.string().max(64)
// A bare file name: a foreign manifest must not name a file outside its own folder.
const fileName = (ending: string) => z.string().regex(new RegExp(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}\\.${ending}$`))
const modelId = z.string().regex(/^[a-z0-9][a-z0-9.-]{0,63}$/)
/** Weights: logit = head's logit + detector · detector's logit + area · ln(share of the frame) + constante. */
const pesosSchema = z.strictObject({
  /** Lowest confidence of the detector: a weaker detection is no proposal, and is dropped. */
  minimo: z.number().min(0).max(1),
  detector: z.number(),
  area: z.number(),
  constante: z.number(),
})
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** Manifest of one model file: `{modelo}.json` names `{modelo}.onnx` in the same folder. */
export const manifestSchema = z
  .strictObject({
    id: modelId,
    arquivo: fileName('onnx'),
    sha256,
    /** Stored outputs for a fixed picture; a file with other outputs is not used. */
    prova: fileName('json').optional(),
    /** A faster version of the same network, preferred to `arquivo` if its outputs are those of its own proof. */
    leve: z.strictObject({ arquivo: fileName('onnx'), sha256, prova: fileName('json') }).optional(),
    tarefa: z.enum(tarefasVisao),
    /**
     * Inference on frames, second opinion on the boxes of an alarm, or rating of a detector's boxes on the edge.
     * Default: the use of its decoder.
     */
    uso: z.enum(['deteccao', 'confirmacao', 'reavaliacao']).optional(),
    /** For `reavaliacao`: the detector and the weights of each label, which combine both confidences. */
    reavalia: z.strictObject({ detector: modelId, pesos: z.record(label, pesosSchema) }).optional(),
    licenca: z.string().min(1).max(200),
    origem: z.string().min(1).max(500),
    entrada: entradaSchema.refine(quadroInside, { path: ['quadro'], error: 'maior que a entrada' }),
    decodificador: z.enum(['nanodet', 'ssd', 'yolox', 'yolov8', 'yolov10', 'detr', 'dfine', 'classificador']),
    /** Class number → label; the empty label marks a number without a class. */
    rotulos: z.array(label).min(1).max(1000),
    /** Label of the model → label of the product, where they differ; an empty label is not reported. */
    nomes: z.record(label, label).default({}),
  })
  .refine(({ rotulos, nomes }) => Object.keys(nomes).every((name) => rotulos.includes(name)), {
    path: ['nomes'],
    error: 'nomeia um rótulo que não está em rotulos',
  })
  .refine(({ uso, reavalia }) => (uso === 'reavaliacao') === (reavalia !== undefined), {
    path: ['reavalia'],
    error: 'pertence ao uso reavaliacao',
  })
  .refine(({ uso, decodificador }) => !(uso === 'deteccao' && decodificador === 'classificador'), {
    path: ['uso'],
    error: 'um classificador não diz onde está o que viu',
  })
  .transform(({ nomes, uso, ...manifest }) => ({
    ...manifest,
    uso: uso ?? (manifest.decodificador === 'classificador' ? 'confirmacao' : 'deteccao'),
    /** Labels of the product. */
    rotulos: manifest.rotulos.map((name) => (Object.hasOwn(nomes, name) ? (nomes[name] ?? '') : name)),
  }))

export type ManifestFile = z.input<typeof manifestSchema>
/** A checked manifest; `caminho` is the path of the model file. */
export type ModelManifest = z.output<typeof manifestSchema> & { readonly caminho: string }

/** Adds the path of the model file in `folder`. */
export const locate = (manifest: z.output<typeof manifestSchema>, folder: string): ModelManifest => ({
  ...manifest,
  caminho: join(folder, manifest.arquivo),
})

/** The manifest of the faster version; null without one. */
export const fasterVersion = ({ leve, ...manifest }: ModelManifest): ModelManifest | null =>
  leve ? locate({ ...manifest, ...leve }, dirname(manifest.caminho)) : null
