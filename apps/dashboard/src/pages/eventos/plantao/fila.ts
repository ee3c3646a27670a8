import { type Gravidade, gravidades } from '@vigia/contracts/ias'
import type { Incidente } from '@vigia/contracts/incidentes'
import type { SituacaoFila } from '../../../api/queries.ts'
import { isUnanswered } from '../../../live/alarm.ts'
import type { KnownIncidentes } from '../../../live/incidentes.ts'

/** Largest number of incidentes of the queue. */
export const MAX_SHOWN = 400

export interface FiltroFila {
  /** null: all Empresas in scope. */
  readonly empresa: number | null
  readonly situacao: SituacaoFila
}

export interface Fila {
  /** Each in its newest version; the last update set their order. */
  readonly itens: readonly Incidente[]
  /** Ids of incidentes that match the filter and are not shown yet. */
  readonly novos: readonly number[]
  /** Number of shown incidentes that do not match the filter any more: answered or refuted meanwhile. */
  readonly resolvidos: number
}

const tests: Readonly<Record<SituacaoFila, (incidente: Incidente) => boolean>> = {
  sem_resposta: isUnanswered,
  sem_revisao: ({ revisados, veredito }) => revisados === 0 && veredito !== 'refutado',
  respondidos: ({ atendimento }) => atendimento !== null,
}

const matches = (incidente: Incidente, { empresa, situacao }: FiltroFila): boolean =>
  (empresa === null || incidente.empresa_id === empresa) && tests[situacao](incidente)

/**
 * The queue of the screen. Its order never changes by itself, and nothing leaves it by itself: a card must not move
 * under the pointer.
 * @param shown ids on the screen, in order
 * @param listed ids of the last answer of the API
 */
export function filaOf(
  shown: readonly number[],
  known: KnownIncidentes,
  listed: ReadonlySet<number>,
  filtro: FiltroFila,
): Fila {
  const itens = shown.flatMap((id) => known.get(id)?.incidente ?? [])
  const onScreen = new Set(shown)
  const novos = [...known.values()]
    .filter(({ incidente, live }) => !onScreen.has(incidente.id) && (live || listed.has(incidente.id)))
    .filter(({ incidente }) => matches(incidente, filtro))
    .map(({ incidente }) => incidente.id)
  return { itens, novos, resolvidos: itens.filter((incidente) => !matches(incidente, filtro)).length }
}

/** Part of the queue that the screen shows; undefined: any. */
export interface Recorte {
  readonly gravidade: Gravidade | undefined
  readonly ia: Incidente['tipos'][number] | undefined
}

export const isIn = ({ gravidade, ia }: Recorte, incidente: Pick<Incidente, 'gravidade' | 'tipos'>): boolean =>
  (gravidade === undefined || incidente.gravidade === gravidade) && (ia === undefined || incidente.tipos.includes(ia))

const newestFirst = (a: Incidente, b: Incidente): number => Date.parse(b.inicio) - Date.parse(a.inicio) || b.id - a.id

const gravestFirst = (a: Incidente, b: Incidente): number =>
  gravidades.indexOf(b.gravidade) - gravidades.indexOf(a.gravidade) || newestFirst(a, b)

/** The ids to show after the new ones were taken in and the resolved ones left. */
export function takeIn({ itens, novos }: Fila, known: KnownIncidentes, filtro: FiltroFila): number[] {
  const added = novos.flatMap((id) => known.get(id)?.incidente ?? [])
  return [...itens, ...added]
    .filter((incidente) => matches(incidente, filtro))
    .sort(filtro.situacao === 'sem_resposta' ? gravestFirst : newestFirst)
    .slice(0, MAX_SHOWN)
    .map(({ id }) => id)
}
