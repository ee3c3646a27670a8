import { infiniteQueryOptions } from '@tanstack/react-query'
import { linhaDoTempoSchema } from '@vigia/contracts/linha-do-tempo'
import type { Api } from '../../../api/client.ts'

/** A day with the names of the API; undefined: all. */
export interface FiltroLinha {
  readonly empresa_id: number | undefined
  readonly camera_id: number | undefined
  /** ISO 8601, `ate` exclusive. */
  readonly desde: string
  readonly ate: string
}

/** Cameras per page. */
const LIMIT = 100

export const linhaQuery = (api: Api, filtro: FiltroLinha) =>
  infiniteQueryOptions({
    queryKey: ['linha-do-tempo', filtro],
    queryFn: ({ pageParam, signal }) => {
      const values = { ...filtro, limit: LIMIT, pagina: pageParam }
      const set = Object.entries(values).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      )
      return api.get(`/linha-do-tempo?${new URLSearchParams(set)}`, linhaDoTempoSchema, signal)
    },
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length * LIMIT < last.total ? pages.length + 1 : null),
    refetchInterval: 60_000,
  })
