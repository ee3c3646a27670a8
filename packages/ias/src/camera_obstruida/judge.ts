import { type Judge, UNPROVED } from '../judging.ts'
import { type PictureMeasures, type ProblemaImagem, problemasImagem } from '../tasks/imagem.ts'

/** Measure of one problem in a single picture, and the limit below which the picture is good. */
interface Criterion {
  /** 0–1; null: the problem cannot be measured in this picture. */
  readonly shows: (measures: PictureMeasures) => number | null
  /** Below this value the alarm is false. */
  readonly refute: number
  readonly yes: string
  readonly maybe: string
  readonly no: string
}

/**
 * Limits between the measures of good and bad pictures; a limit refutes only values that no bad picture has. Measured
 * on the pictures of the training folders (packages/vision/README.md, "Second opinion"). Each was unchanged, covered,
 * blurred (from 2 points at a width of 640), washed out, overexposed and blackened. Problems that a single picture
 * cannot show are not in the table.
 */
const criteria: Partial<Record<ProblemaImagem, Criterion>> = {
  preta: {
    shows: ({ dark }) => dark,
    refute: 0.8,
    yes: 'A imagem está preta',
    maybe: 'A imagem está muito escura, mas não preta. Confira a câmera.',
    no: 'A imagem não está preta',
  },
  coberta: {
    shows: ({ flat }) => flat,
    refute: 0.2,
    yes: 'Grande parte da imagem não mostra nada',
    maybe: 'Uma parte da imagem não mostra nada. Confira a câmera.',
    no: 'A imagem mostra detalhes em toda parte',
  },
  ofuscada: {
    // Light into the lens saturates the picture or lowers its contrast: a contrast of 35 and more is normal.
    shows: ({ saturated, contrast }) => Math.min(1, Math.max(saturated * 4, 1 - contrast / 38)),
    refute: 0.08,
    yes: 'A imagem está clara demais ou sem contraste',
    maybe: 'A imagem está um pouco clara demais ou com pouco contraste. Confira a câmera.',
    no: 'A imagem tem luz e contraste normais',
  },
  desfocada: {
    // An even slope has 0.25, and sharp pictures have 0.6 and more. A picture without edges is never sharp.
    shows: ({ sharpness }) => (sharpness === null ? 1 : Math.min(1, Math.max(0, (0.72 - sharpness) / 0.24))),
    refute: 0.4,
    yes: 'Os contornos da imagem estão borrados',
    maybe: 'Os contornos da imagem estão um pouco borrados. Confira a câmera.',
    no: 'Os contornos da imagem estão nítidos',
  },
}

const unseen: Partial<Record<ProblemaImagem, string>> = {
  desviada: 'Uma única imagem não mostra se a câmera foi desviada. Compare com o enquadramento de costume.',
  congelada: 'Uma única imagem não mostra se o vídeo parou. Confira a imagem ao vivo.',
}

/**
 * The judge of an obstruction: measures the picture itself. Refutes only a clearly good picture. One picture cannot
 * refute a turned or frozen camera: such an alarm is confirmed with that reason.
 */
export const judge: Judge = async ({ detalhes }, models) => {
  const { measures, modelo } = await models.measure()
  const problema = problemasImagem.find((one) => one === detalhes.problema)
  const criterion = problema && criteria[problema]
  const value = criterion?.shows(measures) ?? null
  if (!criterion || value === null) {
    const motivo = (problema && unseen[problema]) ?? 'O problema da imagem não pode ser conferido. Confira a câmera.'
    return { decisao: 'confirmado', certeza: 'baixa', confianca: UNPROVED, motivo, modelo }
  }
  if (value < criterion.refute)
    return { decisao: 'refutado', certeza: 'alta', confianca: 1 - value, motivo: `${criterion.no}.`, modelo }
  if (value < UNPROVED)
    return { decisao: 'confirmado', certeza: 'baixa', confianca: UNPROVED, motivo: criterion.maybe, modelo }
  return { decisao: 'confirmado', certeza: 'alta', confianca: value, motivo: `${criterion.yes}.`, modelo }
}
