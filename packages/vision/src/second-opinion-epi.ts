import type { Caixa } from '@vigia/contracts/eventos'
import { createClassifier } from './classifier.ts'
import type { ModelManifest } from './manifest.ts'
import { openPicture } from './picture.ts'
import {
  type Candidate,
  classifiedContext,
  type Judge,
  percentOf,
  type SecondOpinion,
  tellingBoxes,
} from './second-opinion.ts'
import type { SessionOptions } from './session.ts'
import { surroundings } from './surroundings.ts'

/** Label of the missing item → label of the item worn, and its name in a sentence. */
const items: Readonly<Record<string, { readonly worn: string; readonly nome: string }>> = {
  no_hardhat: { worn: 'hardhat', nome: 'capacete' },
  no_vest: { worn: 'vest', nome: 'colete' },
}

/** Seen missing: from here on, and at least as surely as worn. */
const MISSING = 0.3
/** Seen worn: as surely as this, and so many times more surely than missing. Only this refutes: in doubt a person looks. */
const WORN = 0.6
const CLEARLY = 3
/** Of a verdict that neither side decided. */
const UNPROVED = 0.5

interface Sight {
  readonly nome: string
  readonly missing: number
  readonly worn: number
}

/**
 * The second look at a person without helmet or vest, by a classifier on the place of each item. An item that is clearly worn refutes; if
 * nothing can be told of any, `people` decides whether there is a person at all. Throws VigiaError `interno` when the model cannot be used.
 */
export async function createEpiOpinion(
  manifest: ModelManifest,
  people: () => Promise<SecondOpinion>,
  options: SessionOptions = {},
): Promise<Judge> {
  const classifier = await createClassifier(manifest, options)

  async function sights({ frame, crop, caixas, rotulos }: Candidate): Promise<Sight[]> {
    const picture = await openPicture(frame ?? crop)
    const whole = { left: 0, top: 0, width: picture.width, height: picture.height }
    // Without the frame the boxes are fractions of nothing: all of the cut-out is asked about what is said to be missing.
    const boxes = frame ? tellingBoxes(caixas, rotulos) : []
    const places = boxes.length > 0 ? boxes : missingIn(caixas, rotulos).map((rotulo) => ({ rotulo, whole }))
    const found: Sight[] = []
    for (const place of places) {
      const item = items[place.rotulo]
      if (!item) continue
      const region = 'whole' in place ? place.whole : surroundings(place, picture, classifiedContext)
      const seen = await classifier.classify(await picture.cut(region, classifier.input))
      found.push({ nome: item.nome, missing: seen.get(place.rotulo) ?? 0, worn: seen.get(item.worn) ?? 0 })
    }
    return found
  }

  return {
    id: classifier.id,
    async assess(candidate) {
      const found = await sights(candidate)
      const missing = found.filter((one) => one.missing >= MISSING && one.missing >= one.worn)
      if (missing.length > 0) {
        const confianca = Math.max(...missing.map((one) => one.missing))
        const motivo = `Segundo modelo viu a pessoa sem ${namesOf(missing)} (${percentOf(confianca)}).`
        return { decisao: 'confirmado', confianca, motivo }
      }
      if (found.length > 0 && found.every((one) => one.worn >= WORN && one.worn >= CLEARLY * one.missing)) {
        const confianca = Math.min(...found.map((one) => one.worn))
        const motivo = `Segundo modelo viu ${namesOf(found)} na pessoa (${percentOf(confianca)}).`
        return { decisao: 'refutado', confianca, motivo }
      }
      const person = await (await people()).assess({ ...candidate, rotulos: ['person'] })
      if (person.decisao === 'refutado') return person
      const motivo = 'Há uma pessoa no lugar, e o segundo modelo não conseguiu ver o que falta. Confira a imagem.'
      return { decisao: 'confirmado', confianca: UNPROVED, motivo }
    },
    close: () => classifier.close(),
  }
}

const missingIn = (caixas: readonly Caixa[], rotulos: readonly string[]): string[] => {
  const said = rotulos.filter((label) => caixas.some(({ rotulo }) => rotulo === label))
  return said.length > 0 ? said : [...rotulos]
}

const namesOf = (sights: readonly Sight[]): string =>
  new Intl.ListFormat('pt-BR').format([...new Set(sights.map(({ nome }) => nome))])
