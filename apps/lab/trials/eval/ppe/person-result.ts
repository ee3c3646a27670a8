import type { ItemEpi } from '@vigia/ias/epi/catalogue'
import { type Share, shareOf } from '@vigia/ias/share'
import type { Table } from '@vigia/testing/table'
import type { BoundResult } from '../bound-result.ts'

/** Whether a person wears an item; null: hidden, too small or in doubt. */
type Worn = boolean | null

/** One labelled person, and the missing items that one inference states. */
export interface PersonResult {
  /** Height of the person in pixels of the picture. */
  readonly personPx: number
  /** Smaller side of the labelled head in pixels; null: no box. */
  readonly headPx: number | null
  readonly worn: Readonly<Record<ItemEpi, Worn>>
  readonly missing: readonly ItemEpi[]
}

/** Precision and recall of one missing item on some people. */
interface ItemFigures {
  /** True ones among the stated absences. */
  readonly precision: Share
  /** Stated ones among the people without the item. */
  readonly recall: Share
}

/** Minimum side of a head for the bounds, in pixels. */
const HEAD_PX = 24
const goals = {
  capacete: { precision: 0.9, recall: 0.6, among: `cabeças de ${HEAD_PX} pixels ou mais` },
  colete: { precision: 0.9, recall: 0.5, among: 'todas as pessoas' },
} as const satisfies Record<ItemEpi, unknown>

/** First height of each row of the table by height, in pixels. */
const HEIGHTS = [40, 80, 120, 160, 240, 360]

export function figuresOf(people: readonly PersonResult[], item: ItemEpi): ItemFigures {
  const known = people.filter(({ worn }) => worn[item] !== null)
  const without = known.filter(({ worn }) => worn[item] === false)
  const stated = known.filter(({ missing }) => missing.includes(item))
  const right = without.filter(({ missing }) => missing.includes(item))
  return { precision: shareOf(right.length, stated.length), recall: shareOf(right.length, without.length) }
}

const amongOf = (people: readonly PersonResult[], item: ItemEpi) =>
  item === 'capacete' ? people.filter(({ headPx }) => headPx !== null && headPx >= HEAD_PX) : people

export function boundsOf(people: readonly PersonResult[]): BoundResult[] {
  return (['capacete', 'colete'] as const).flatMap((item) => {
    const { precision, recall, among } = goals[item]
    const seen = figuresOf(amongOf(people, item), item)
    return [
      { nome: `"sem ${item}": precisão, ${among}`, wanted: precision, got: seen.precision },
      { nome: `"sem ${item}": revocação, ${among}`, wanted: recall, got: seen.recall },
    ].map(({ nome, wanted, got }) => ({
      nome,
      limite: `≥ ${percent(wanted)}`,
      valor: cell(got),
      ok: got.n > 0 && got.k / got.n >= wanted,
    }))
  })
}

export const tablesOf = (people: readonly PersonResult[]): Table[] => [
  {
    titulo: 'EPI por pessoa',
    nota: 'Uma inferência por pessoa rotulada. Intervalos de 95 % (Wilson); quadros de um vídeo os estreitam.',
    colunas: ['limite', 'pedido', 'medido', ''],
    linhas: boundsOf(people).map(({ nome, limite, valor, ok }) => [nome, limite, valor, ok ? 'ok' : 'FALHA']),
  },
  {
    titulo: 'EPI por altura da pessoa',
    colunas: ['altura', 'sem capacete: precisão', 'revocação', 'sem colete: precisão', 'revocação'],
    linhas: HEIGHTS.map((from, at) => {
      const to = HEIGHTS[at + 1] ?? Number.POSITIVE_INFINITY
      const some = people.filter(({ personPx }) => personPx >= from && personPx < to)
      const [head, torso] = [figuresOf(some, 'capacete'), figuresOf(some, 'colete')]
      const name = to === Number.POSITIVE_INFINITY ? `${from} px ou mais` : `${from} a ${to - 1} px`
      return [name, ...[head.precision, head.recall, torso.precision, torso.recall].map(cell)]
    }),
  },
]

const percent = (value: number) => `${(100 * value).toFixed(1).replace('.', ',')} %`
const cell = ({ k, n, de, ate }: Share) =>
  n === 0 ? '–' : `${percent(k / n)} (${k} de ${n}; ${percent(de)} a ${percent(ate)})`
