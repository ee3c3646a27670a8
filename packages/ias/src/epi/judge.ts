import { limitsOf, missingProbability, WORN_SEEN } from '../head-calibration.ts'
import {
  type Alarm,
  type Classified,
  type ClassifiedRegion,
  type Judge,
  judgeDetected,
  type Opinion,
  type SecondModels,
  usualDemand,
} from '../judging.ts'
import { FIRST_NEVER_REFUTED } from '../verdict-calibration.ts'

interface Item {
  readonly worn: string
  readonly nome: string
}

/** Label of the missing item → label of the worn item, and its name in a Portuguese sentence. */
const items: Readonly<Record<string, Item>> = {
  no_hardhat: { worn: 'hardhat', nome: 'capacete' },
  no_vest: { worn: 'vest', nome: 'colete' },
}

/** Probability from which an item is named as probably missing. */
const PROBABLE = 0.5

interface ItemFinding {
  readonly nome: string
  /** Probability that the item is missing. */
  readonly p: number
  readonly outcome: 'missing' | 'worn' | 'unknown'
}

/**
 * The judge of a missing helmet or vest, applied to the region of each item. One surely missing item confirms. Only
 * worn items refute. If no item is even probably missing, the model for objects decides whether the region shows a
 * person. A detector of the installer decides without these limits.
 */
export const judge: Judge = async (alarm, models) => {
  const { factors } = usualDemand
  const finding = await models.inspect('epi', { rotulos: alarm.rotulos, factors })
  if (finding.kind === 'detected') return judgeDetected(finding, alarm)
  const { modelo } = finding
  const found = findingsOf(finding, alarm)
  const confianca = Math.max(0, ...found.map(({ p }) => p))
  const missing = found.filter(({ outcome }) => outcome === 'missing')
  if (missing.length > 0) {
    const motivo = `A pessoa estava sem ${namesOf(missing)}.`
    return { decisao: 'confirmado', certeza: 'alta', confianca, motivo, modelo }
  }
  if (found.length > 0 && found.every(({ outcome }) => outcome === 'worn')) {
    const motivo = `A pessoa usava ${namesOf(found)}.`
    return { decisao: 'refutado', certeza: 'alta', confianca: 1 - confianca, motivo, modelo }
  }
  const probable = found.filter(({ p }) => p >= PROBABLE)
  if (probable.length > 0) {
    const motivo = `Não é certo que falte ${namesOf(probable)}. Confira a imagem.`
    return { decisao: 'confirmado', certeza: 'baixa', confianca, motivo, modelo }
  }
  return { ...(await judgePerson(alarm, models, confianca)), modelo }
}

async function judgePerson(alarm: Alarm, models: SecondModels, confianca: number): Promise<Opinion> {
  const rotulos = ['person']
  const question = { rotulos, factors: usualDemand.factors }
  const person = judgeDetected(await models.detect('objetos', question), { ...alarm, rotulos })
  if (person.decisao === 'refutado') return person
  const motivo = 'Há uma pessoa no lugar, e não se vê o que falta. Confira a imagem.'
  return { ...person, certeza: 'baixa', confianca, motivo }
}

/** Without known regions the whole picture is classified for the items of the alarm. */
const findingsOf = ({ regions, modelo }: Classified, alarm: Alarm): ItemFinding[] =>
  regions.flatMap((region) =>
    (region.first === null ? missingIn(alarm) : [region.first.rotulo]).flatMap((label) => {
      const item = items[label]
      return item ? [findingOf(modelo, label, item, region)] : []
    }),
  )

function findingOf(modelo: string, label: string, item: Item, { first, seen }: ClassifiedRegion): ItemFinding {
  const worn = seen.get(item.worn) ?? 0
  const p = missingProbability(modelo, label, seen.get(label) ?? 0, worn)
  const { confirm, refute } = limitsOf(modelo, label)
  const isDoubted = (first?.confianca ?? 0) < FIRST_NEVER_REFUTED
  const isWorn = isDoubted && refute !== null && p <= refute && worn >= WORN_SEEN
  return { nome: item.nome, p, outcome: p >= confirm ? 'missing' : isWorn ? 'worn' : 'unknown' }
}

const missingIn = ({ caixas, rotulos }: Alarm): readonly string[] => {
  const said = rotulos.filter((label) => caixas.some(({ rotulo }) => rotulo === label))
  return said.length > 0 ? said : rotulos
}

const namesOf = (seen: readonly ItemFinding[]): string =>
  new Intl.ListFormat('pt-BR').format([...new Set(seen.map(({ nome }) => nome))])
