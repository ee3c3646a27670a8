import {
  type Alarm,
  type Classified,
  type Judge,
  judgeDetected,
  type SecondModels,
  UNPROVED,
  usualDemand,
} from '../judging.ts'

/** Label of the missing item → label of the worn item, and its name in a Portuguese sentence. */
const items: Readonly<Record<string, { readonly worn: string; readonly nome: string }>> = {
  no_hardhat: { worn: 'hardhat', nome: 'capacete' },
  no_vest: { worn: 'vest', nome: 'colete' },
}

/** Lowest probability that confirms a missing item; it must also reach the probability of worn. */
const MISSING = 0.3
/** Lowest probability that confirms it surely. */
const SURE = 0.8
/**
 * Lowest probability of a worn item, and its lowest ratio to the probability of missing. Only a worn item refutes, so
 * that a person decides on doubtful alarms.
 */
const WORN = 0.6
const CLEARLY = 3

interface ItemFinding {
  readonly nome: string
  readonly missing: number
  readonly worn: number
}

/**
 * The judge of a missing helmet or vest, applied to the region of each item. Clearly worn items refute the alarm. If no
 * item can be decided, the model for objects decides whether the region shows a person. A detector of the installer
 * decides without these limits.
 */
export const judge: Judge = async (alarm, models) => {
  const { factors } = usualDemand
  const finding = await models.inspect('epi', { rotulos: alarm.rotulos, factors })
  if (finding.kind === 'detected') return judgeDetected(finding, alarm)
  const { modelo } = finding
  const found = findingsOf(finding, alarm)
  const missing = found.filter((one) => one.missing >= MISSING && one.missing >= one.worn)
  if (missing.length > 0) {
    const confianca = Math.max(...missing.map((one) => one.missing))
    const motivo = `Segundo modelo viu a pessoa sem ${namesOf(missing)}.`
    return { decisao: 'confirmado', certeza: confianca >= SURE ? 'alta' : 'baixa', confianca, motivo, modelo }
  }
  if (found.length > 0 && found.every((one) => one.worn >= WORN && one.worn >= CLEARLY * one.missing)) {
    const confianca = Math.min(...found.map((one) => one.worn))
    const motivo = `Segundo modelo viu ${namesOf(found)} na pessoa.`
    return { decisao: 'refutado', certeza: 'alta', confianca, motivo, modelo }
  }
  return { ...(await judgePerson(alarm, models)), modelo }
}

async function judgePerson(alarm: Alarm, models: SecondModels) {
  const rotulos = ['person']
  const person = judgeDetected(await models.detect('objetos', { rotulos, factors: usualDemand.factors }), {
    ...alarm,
    rotulos,
  })
  if (person.decisao === 'refutado') return person
  const motivo = 'Há uma pessoa no lugar, e o segundo modelo não conseguiu ver o que falta. Confira a imagem.'
  return { ...person, certeza: 'baixa' as const, confianca: UNPROVED, motivo }
}

/** Without known regions the whole picture is classified for the items of the alarm. */
const findingsOf = ({ regions }: Classified, alarm: Alarm): ItemFinding[] =>
  regions.flatMap(({ rotulo, seen }) =>
    (rotulo === null ? missingIn(alarm) : [rotulo]).flatMap((label) => {
      const item = items[label]
      return item ? [{ nome: item.nome, missing: seen.get(label) ?? 0, worn: seen.get(item.worn) ?? 0 }] : []
    }),
  )

const missingIn = ({ caixas, rotulos }: Alarm): readonly string[] => {
  const said = rotulos.filter((label) => caixas.some(({ rotulo }) => rotulo === label))
  return said.length > 0 ? said : rotulos
}

const namesOf = (seen: readonly ItemFinding[]): string =>
  new Intl.ListFormat('pt-BR').format([...new Set(seen.map(({ nome }) => nome))])
