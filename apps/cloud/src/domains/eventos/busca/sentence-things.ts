import type { coresVeiculo } from '@vigia/contracts/veiculos'
import { ia, nomesIas } from '@vigia/ias/catalogue'
import { wordsOf } from '../../../db/search-words.ts'
import type { Found } from './sentence-found.ts'

type Table = readonly (readonly [valor: string, pattern: string])[]
const compile = (table: Table) =>
  table.map(([valor, pattern]) => [valor, new RegExp(`(?<=^| )(?:${pattern})(?= |$)`)] as const)

/** The first entry that the line has. */
function entryIn(line: string, table: ReturnType<typeof compile>): Found | null {
  for (const [valor, pattern] of table) {
    const match = pattern.exec(line)
    if (match) return { index: match.index, length: match[0].length, valor }
  }
  return null
}

const VEHICLE = 'carros?|automove(?:l|is)|caminhao|caminhoes|onibus|motos?|motocicletas?|motoqueiros?|veiculos?|vans?'

/** Labels of the models (packages/ias, label-names.ts). */
const THINGS = compile([
  ['person', 'pessoas?|gente|alguem|homem|homens|mulher|mulheres|individuos?|suspeitos?'],
  ['truck', 'caminhao|caminhoes'],
  ['bus', 'onibus'],
  ['motorcycle', 'motos?|motocicletas?|motoqueiros?'],
  ['car', 'carros?|automove(?:l|is)'],
  ['bicycle', 'bicicletas?|bikes?'],
  ['dog', 'cachorros?|caes|cao'],
  ['cat', 'gatos?'],
  ['bird', 'passaros?'],
  ['horse', 'cavalos?'],
  ['cow', 'vacas?'],
  ['backpack', 'mochilas?'],
  ['suitcase', 'malas?'],
])

/** The longest words come first: they may hold those of another IA. */
const IAS = compile(
  nomesIas
    .map((nome) => [nome, ia(nome).palavras ?? wordsOf(ia(nome).titulo).join(' ')] as const)
    .sort(([, a], [, b]) => b.length - a.length),
)

const COLOURS: readonly (readonly [(typeof coresVeiculo)[number], string])[] = [
  ['branco', 'branc[oa]s?'],
  ['preto', 'pret[oa]s?'],
  ['cinza', 'cinzas?|pratas?|prateados?'],
  ['vermelho', 'vermelh[oa]s?'],
  ['azul', 'azul|azuis'],
  ['verde', 'verdes?'],
  ['amarelo', 'amarel[oa]s?'],
  ['marrom', 'marrom|marrons'],
]
const OF_A_VEHICLE = COLOURS.map(
  ([valor, pattern]) =>
    [valor, new RegExp(`(?<=(?:^| )(?:${VEHICLE}) )(?:(?:de |da )?cor )?(?:${pattern})(?= |$)`)] as const,
)

/** Fields of the records themselves. */
const RECORD = {
  gravidade: compile([
    ['alta', 'gravidade alta|graves?'],
    ['media', 'gravidade media'],
    ['baixa', 'gravidade baixa'],
  ]),
  certeza: compile([
    ['alta', '(?:com )?certeza alta|(?:com )?alta certeza'],
    ['baixa', '(?:com )?certeza baixa|(?:com )?baixa certeza'],
  ]),
  nota: compile([
    ['true', 'com notas?'],
    ['false', 'sem notas?'],
  ]),
}

/** A label that the models know. */
export const thingIn = (line: string): Found | null => entryIn(line, THINGS)
/** An IA by its name. */
export const iaIn = (line: string): Found | null => entryIn(line, IAS)
/** A colour, directly after the word of a vehicle. */
export const colourIn = (line: string): Found | null => entryIn(line, OF_A_VEHICLE)
/** Severity, certainty, or whether there is a note. */
export const recordIn = (line: string, field: keyof typeof RECORD): Found | null => entryIn(line, RECORD[field])

const PLATE = '(?=[a-z*]*\\d|\\w*\\*)[a-z\\d*]{1,8}|[a-z]{3} \\d[a-z\\d]\\d{2}'
const plateRule = (text: string) => new RegExp(`(?<=^| )(?:(?:com|de) (?:a )?)?${text}(?= |$)`)
const ENDING = '(?:termina(?:ndo|da|das|m)?|acaba(?:ndo|m)?|(?:com )?final)'
const ENDS = plateRule(`placas? (?:que )?${ENDING}(?: (?:em|com))? (${PLATE})`)
const BEGINNING = '(?:comeca(?:ndo|da|das|m)?|inicia(?:ndo|da|das|m)?|(?:com )?inicio)'
const BEGINS = plateRule(`placas? (?:que )?${BEGINNING}(?: (?:em|com|por))? ([a-z\\d]{1,7})`)
const CONTAINS = plateRule(`placas? (?:(?:que )?(?:com|tem|contem|contendo) )?(${PLATE})`)
const ALONE = /(?<=^| )([a-z]{3} ?\d[a-z]\d{2}|[a-z]{3}\d{4})(?= |$)/

/** A plate, or a part of it as a pattern with `*`: `*414`. */
export function plateIn(line: string): Found | null {
  const rules: readonly (readonly [RegExp, (part: string) => string])[] = [
    [ENDS, (part) => `*${part}`],
    [BEGINS, (part) => `${part}*`],
    [CONTAINS, (part) => (part.length === 7 || part.includes('*') ? part : `*${part}*`)],
    [ALONE, (part) => part],
  ]
  for (const [pattern, plateOf] of rules) {
    const match = pattern.exec(line)
    const part = match?.[1]?.replace(' ', '').toUpperCase()
    if (match && part !== undefined && plateOf(part).length <= 8)
      return { index: match.index, length: match[0].length, valor: plateOf(part) }
  }
  return null
}
