import { queryOptions } from '@tanstack/react-query'
import { type PassagensQuery, passagemSchema } from '@vigia/contracts/passagens'
import { placaListadaSchema } from '@vigia/contracts/placas'
import type { Fuso } from '../base/tempo/format-time.ts'
import { period } from '../base/tempo/period.ts'
import type { Api } from './client.ts'
import { query } from './queries.ts'

/** Number of fetched passages and plates, newest first. */
export const PASSAGENS = 50
export const PLACAS = 200

export interface FiltroPassagens {
  /** With `*` for any run of symbols; null: every passage. */
  readonly placa: string | null
  /** Also plates that differ in one symbol. */
  readonly semelhantes: boolean
  readonly situacao: NonNullable<PassagensQuery['situacao']> | null
  readonly camera: number | null
  readonly veiculo: NonNullable<PassagensQuery['veiculo']> | null
  readonly cor: NonNullable<PassagensQuery['cor']> | null
  /** Days (`2026-11-21`), both included. */
  readonly de: string | null
  readonly ate: string | null
}

export const todasPassagens: FiltroPassagens = {
  placa: null,
  semelhantes: false,
  situacao: null,
  camera: null,
  veiculo: null,
  cor: null,
  de: null,
  ate: null,
}

/** Query string of a filter. @param empresa null: the whole scope */
export function searchOfPassagens(
  { placa, semelhantes, situacao, camera, veiculo, cor, de, ate }: FiltroPassagens,
  { empresa, fuso }: { readonly empresa: number | null; readonly fuso: Fuso },
  limit: number | null,
): string {
  const chosen = { empresa_id: empresa, placa, situacao, camera_id: camera, veiculo, cor, ...period(de, ate, fuso) }
  return query({ ...chosen, semelhantes: semelhantes && placa !== null ? 'true' : null, limit })
}

/** Without a search the list follows the cameras; each search is an audit record, so it is not repeated. */
export const passagensQuery = (
  api: Api,
  filtro: FiltroPassagens,
  scope: { readonly empresa: number | null; readonly fuso: Fuso },
) =>
  queryOptions({
    queryKey: ['passagens', scope, filtro],
    queryFn: ({ signal }) =>
      api.get(`/passagens${searchOfPassagens(filtro, scope, PASSAGENS)}`, passagemSchema.array(), signal),
    refetchInterval: filtro.placa === null ? 3_000 : false,
  })

export const placasQuery = (api: Api, empresa: number | null) =>
  queryOptions({
    queryKey: ['placas', empresa],
    queryFn: ({ signal }) =>
      api.get(`/placas${query({ empresa_id: empresa, limit: PLACAS })}`, placaListadaSchema.array(), signal),
    refetchInterval: 60_000,
  })
