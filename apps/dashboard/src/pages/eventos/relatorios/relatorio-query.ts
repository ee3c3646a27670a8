import { queryOptions } from '@tanstack/react-query'
import { concordanciaSchema } from '@vigia/contracts/concordancia'
import { relatorioSchema, type TabelaRelatorio } from '@vigia/contracts/relatorios'
import { ownAddress } from '../../../api/base-path.ts'
import type { Api } from '../../../api/client.ts'

/** Filter of a report; instants in ISO 8601, `ate` exclusive; undefined: all. */
export interface FiltroRelatorio {
  readonly empresa_id: number | undefined
  readonly camera_id: number | undefined
  readonly desde: string
  readonly ate: string
}

const search = (filtro: FiltroRelatorio) => {
  const set = Object.entries(filtro).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return new URLSearchParams(set)
}

export const relatorioQuery = (api: Api, filtro: FiltroRelatorio) =>
  queryOptions({
    queryKey: ['relatorio', filtro],
    queryFn: ({ signal }) => api.get(`/relatorios?${search(filtro)}`, relatorioSchema, signal),
    staleTime: 60_000,
  })

/** Address of one table as CSV; the session cookie authenticates the download. */
export const csvAddress = (filtro: FiltroRelatorio, tabela: TabelaRelatorio): string =>
  ownAddress(`/api/v1/relatorios/csv?tabela=${tabela}&${search(filtro)}`)

/** Agreement of reviews and verification; counted again when the page opens. */
export const concordanciaQuery = (api: Api, filtro: FiltroRelatorio) =>
  queryOptions({
    queryKey: ['concordancia', filtro],
    queryFn: ({ signal }) => api.get(`/concordancia?${search(filtro)}`, concordanciaSchema, signal),
    staleTime: 60_000,
  })

/** Address of the reviewed pictures of the period, of all its cameras. */
export const trainingAddress = ({ camera_id: _, ...filtro }: FiltroRelatorio): string =>
  ownAddress(`/api/v1/treinamento/exportacao?${search({ ...filtro, camera_id: undefined })}`)
