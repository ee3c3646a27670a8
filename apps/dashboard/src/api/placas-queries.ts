import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { type PassagensQuery, passagemSchema } from '@vigia/contracts/passagens'
import { type ListaPlaca, placaListadaSchema } from '@vigia/contracts/placas'
import type { Fuso } from '../base/tempo/format-time.ts'
import { period } from '../base/tempo/period.ts'
import type { Api } from './client.ts'
import { nextOffset, query } from './queries.ts'

/** Number of passages and of plates in a page, newest first. */
const PASSAGENS = 50
const PLACAS = 200

/** Passages by whether their plate was read. */
export const leiturasPassagem = ['com', 'sem', 'todas'] as const

export interface FiltroPassagens {
  /** With `*` for any run of symbols; null: every passage. */
  readonly placa: string | null
  /** Also plates that differ in one symbol. */
  readonly semelhantes: boolean
  readonly leitura: (typeof leiturasPassagem)[number]
  readonly situacao: NonNullable<PassagensQuery['situacao']> | null
  readonly camera: number | null
  readonly veiculo: NonNullable<PassagensQuery['veiculo']> | null
  readonly cor: NonNullable<PassagensQuery['cor']> | null
  /** Days (`2026-11-21`), both included. */
  readonly de: string | null
  readonly ate: string | null
}

/** Query string of a filter. @param empresa null: the whole scope */
export function searchOfPassagens(
  { placa, semelhantes, leitura, situacao, camera, veiculo, cor, de, ate }: FiltroPassagens,
  { empresa, fuso }: { readonly empresa: number | null; readonly fuso: Fuso },
  page: { readonly limit?: number; readonly offset?: number } = {},
): string {
  const chosen = { empresa_id: empresa, placa, situacao, camera_id: camera, veiculo, cor, ...period(de, ate, fuso) }
  const read = leitura === 'todas' ? {} : { [`${leitura}_placa`]: 'true' }
  return query({ ...chosen, ...read, semelhantes: semelhantes && placa !== null ? 'true' : null, ...page })
}

/**
 * Without a search the first page follows the cameras. Each search is an audit record, so it is not repeated. Longer
 * lists are not repeated either.
 */
export const passagensQuery = (
  api: Api,
  filtro: FiltroPassagens,
  scope: { readonly empresa: number | null; readonly fuso: Fuso },
) =>
  infiniteQueryOptions({
    queryKey: ['passagens', scope, filtro],
    queryFn: ({ pageParam, signal }) => {
      const search = searchOfPassagens(filtro, scope, { limit: PASSAGENS, offset: pageParam })
      return api.get(`/passagens${search}`, passagemSchema.array(), signal)
    },
    initialPageParam: 0,
    getNextPageParam: nextOffset(PASSAGENS),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (filtro.placa === null && (state.data?.pages.length ?? 1) === 1 ? 3_000 : false),
  })

export interface FiltroPlacas {
  /** null: the whole scope. */
  readonly empresa: number | null
  readonly lista: ListaPlaca | null
  /** Part of the plate, of its owner or of its note; '': all. */
  readonly busca: string
}

export const placasQuery = (api: Api, { empresa, lista, busca }: FiltroPlacas) =>
  infiniteQueryOptions({
    queryKey: ['placas', empresa, lista, busca],
    queryFn: ({ pageParam, signal }) => {
      const filters = { empresa_id: empresa, lista, busca: busca || null }
      return api.get(
        `/placas${query({ ...filters, limit: PLACAS, offset: pageParam })}`,
        placaListadaSchema.array(),
        signal,
      )
    },
    initialPageParam: 0,
    getNextPageParam: nextOffset(PLACAS),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
