import {
  type Alarm,
  type Classified,
  type Judge,
  judgeDetected,
  percentOf,
  type SecondLooks,
  UNPROVED,
  usualDemand,
} from '../judging.ts'

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

interface Sight {
  readonly nome: string
  readonly missing: number
  readonly worn: number
}

/**
 * The second look at a person without helmet or vest, at the place of each item. An item that is clearly worn refutes; if nothing can be
 * told of any, the model for objects decides whether there is a person at all. A detector of the installer decides by itself.
 */
export const judge: Judge = async (alarm, looks) => {
  const { factors } = usualDemand
  const finding = await looks.inspect('epi', { rotulos: alarm.rotulos, factors })
  if (finding.kind === 'detected') return judgeDetected(finding, alarm)
  const { modelo } = finding
  const found = sights(finding, alarm)
  const missing = found.filter((one) => one.missing >= MISSING && one.missing >= one.worn)
  if (missing.length > 0) {
    const confianca = Math.max(...missing.map((one) => one.missing))
    const motivo = `Segundo modelo viu a pessoa sem ${namesOf(missing)} (${percentOf(confianca)}).`
    return { decisao: 'confirmado', confianca, motivo, modelo }
  }
  if (found.length > 0 && found.every((one) => one.worn >= WORN && one.worn >= CLEARLY * one.missing)) {
    const confianca = Math.min(...found.map((one) => one.worn))
    const motivo = `Segundo modelo viu ${namesOf(found)} na pessoa (${percentOf(confianca)}).`
    return { decisao: 'refutado', confianca, motivo, modelo }
  }
  return { ...(await judgePerson(alarm, looks)), modelo }
}

async function judgePerson(alarm: Alarm, looks: SecondLooks) {
  const rotulos = ['person']
  const person = judgeDetected(await looks.detect('objetos', { rotulos, factors: usualDemand.factors }), {
    ...alarm,
    rotulos,
  })
  if (person.decisao === 'refutado') return person
  const motivo = 'Há uma pessoa no lugar, e o segundo modelo não conseguiu ver o que falta. Confira a imagem.'
  return { ...person, confianca: UNPROVED, motivo }
}

/** Where the places are not known, the whole picture is asked about what is said to be missing. */
const sights = ({ places }: Classified, alarm: Alarm): Sight[] =>
  places.flatMap(({ rotulo, seen }) =>
    (rotulo === null ? missingIn(alarm) : [rotulo]).flatMap((label) => {
      const item = items[label]
      return item ? [{ nome: item.nome, missing: seen.get(label) ?? 0, worn: seen.get(item.worn) ?? 0 }] : []
    }),
  )

const missingIn = ({ caixas, rotulos }: Alarm): readonly string[] => {
  const said = rotulos.filter((label) => caixas.some(({ rotulo }) => rotulo === label))
  return said.length > 0 ? said : rotulos
}

const namesOf = (seen: readonly Sight[]): string =>
  new Intl.ListFormat('pt-BR').format([...new Set(seen.map(({ nome }) => nome))])
