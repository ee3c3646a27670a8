import { queryOptions } from '@tanstack/react-query'
import { type PassagensQuery, passagemSchema } from '@vigia/contracts/passagens'
import { placaListadaSchema } from '@vigia/contracts/placas'
import type { Api } from './client.ts'
import { query } from './queries.ts'

/** Number of fetched passages and plates, newest first. */
export const PASSAGENS = 50
export const PLACAS = 200

export interface FiltroPassagens {
  /** null: the whole scope. */
  readonly empresa: number | null
  /** With `*` for any run of symbols; null: every passage. */
  readonly placa: string | null
  readonly situacao: NonNullable<PassagensQuery['situacao']> | null
}

/** Without a search the list follows the cameras; each search is an audit record, so it is not repeated. */
export const passagensQuery = (api: Api, { empresa, placa, situacao }: FiltroPassagens) =>
  queryOptions({
    queryKey: ['passagens', empresa, placa, situacao],
    queryFn: ({ signal }) =>
      api.get(
        `/passagens${query({ empresa_id: empresa, placa, situacao, limit: PASSAGENS })}`,
        passagemSchema.array(),
        signal,
      ),
    refetchInterval: placa === null ? 3_000 : false,
  })

export const placasQuery = (api: Api, empresa: number | null) =>
  queryOptions({
    queryKey: ['placas', empresa],
    queryFn: ({ signal }) =>
      api.get(`/placas${query({ empresa_id: empresa, limit: PLACAS })}`, placaListadaSchema.array(), signal),
    refetchInterval: 60_000,
  })
