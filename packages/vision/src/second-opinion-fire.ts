import { createClassifier } from './classifier.ts'
import { labelNames } from './label-names.ts'
import type { ModelManifest } from './manifest.ts'
import { openPicture } from './picture.ts'
import {
  type Candidate,
  classifiedContext,
  type Judge,
  type Opinion,
  percentOf,
  tellingBoxes,
} from './second-opinion.ts'
import type { SessionOptions } from './session.ts'
import { surroundings } from './surroundings.ts'

/**
 * Below these the classifier did not see it. Chosen on the held-out part of the training folders (apps/model-tools/training/README.md, "Second look"): of the true
 * places with flames 95 % are above, of those with smoke 93 %. Far below one half, since it sees one picture where the edge saw the place
 * flicker or spread, and a missed fire is the worst that can happen. Smoke is seen badly: what this refutes is only what is nothing like it.
 */
const CONFIRM: ReadonlyMap<string, number> = new Map([
  ['fire', 0.1],
  ['smoke', 0.05],
])
/** Of a verdict that the classifier did not exclude, and did not see either. */
const UNPROVED = 0.5

/**
 * The second look at flames and smoke, by a classifier. Flames confirm smoke as well, which comes from them. Throws VigiaError `interno` when the
 * model cannot be used.
 */
export async function createFireOpinion(manifest: ModelManifest, options: SessionOptions = {}): Promise<Judge> {
  const classifier = await createClassifier(manifest, options)

  /** Label → highest probability at any place of the alarm. */
  async function look({ frame, crop, caixas, rotulos }: Candidate): Promise<ReadonlyMap<string, number>> {
    const picture = await openPicture(frame ?? crop)
    const boxes = frame ? tellingBoxes(caixas, rotulos) : []
    const regions = boxes.map((box) => surroundings(box, picture, classifiedContext))
    const whole = { left: 0, top: 0, width: picture.width, height: picture.height }
    const best = new Map<string, number>()
    for (const region of regions.length > 0 ? regions : [whole]) {
      const seen = await classifier.classify(await picture.cut(region, classifier.input))
      for (const [label, value] of seen) best.set(label, Math.max(value, best.get(label) ?? 0))
    }
    return best
  }

  return {
    id: classifier.id,
    async assess(candidate) {
      const seen = await look(candidate)
      const labels = [...new Set([...candidate.rotulos, 'fire'])]
      const value = Math.max(...labels.map((label) => seen.get(label) ?? 0))
      const what = labelNames(labels)
      if (restsOnTime(candidate)) {
        return flickers(value)
      }
      if (!labels.some((label) => (seen.get(label) ?? 0) >= (CONFIRM.get(label) ?? 1))) {
        const motivo = `Segundo modelo não viu ${what} na região do alerta (máximo ${percentOf(value)}).`
        return { decisao: 'refutado', confianca: 1 - value, motivo }
      }
      const motivo =
        value >= UNPROVED
          ? `Segundo modelo viu ${what} no mesmo lugar (${percentOf(value)}).`
          : `Segundo modelo não descarta ${what} no lugar (${percentOf(value)}). Confira a imagem.`
      return { decisao: 'confirmado', confianca: Math.max(UNPROVED, value), motivo }
    },
    close: () => classifier.close(),
  }
}

/** `detector` in place of the classifier, brought by an installer: neither can it refute what no single picture can. */
export const withTime = (detector: Judge): Judge => ({
  ...detector,
  async assess(candidate) {
    const opinion = await detector.assess(candidate)
    return opinion.decisao === 'refutado' && restsOnTime(candidate) ? flickers(1 - opinion.confianca) : opinion
  },
})

/** The verdict on what rests on time, when the second model saw flames with this probability. */
const flickers = (value: number): Opinion => ({
  decisao: 'confirmado',
  confianca: Math.max(UNPROVED, value),
  motivo: `O lugar tremula nas cores de uma chama, o que uma imagem não mostra (segundo modelo: ${percentOf(value)}). Confira a imagem.`,
})

/**
 * Whether the edge's detector by itself was less sure of the flames than is asked, so that colours and flicker over time made up for it: no single
 * picture can refute those.
 */
const restsOnTime = ({ caixas, rotulos, conf }: Candidate): boolean => {
  const flames = tellingBoxes(caixas, rotulos).filter(({ rotulo }) => rotulo === 'fire')
  return flames.length > 0 && flames.every(({ confianca }) => confianca < conf)
}
