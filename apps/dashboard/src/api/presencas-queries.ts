import { queryOptions } from '@tanstack/react-query'
import { leituraPlacasSchema } from '@vigia/contracts/leitura-placas'
import { percursoSchema, presencaSchema } from '@vigia/contracts/presencas'
import type { Api } from './client.ts'
import { query } from './queries.ts'

/** Vehicles that are inside. */
export const presencasQuery = (api: Api, empresa: number | null) =>
  queryOptions({
    queryKey: ['passagens', 'presentes', empresa],
    queryFn: ({ signal }) =>
      api.get(`/passagens/presentes${query({ empresa_id: empresa })}`, presencaSchema.array(), signal),
    refetchInterval: 10_000,
  })

/** Passages and stays of one plate. Each request is an audit record, so it is not repeated. */
export const percursoQuery = (api: Api, { placa, empresa }: { readonly placa: string; readonly empresa: number }) =>
  queryOptions({
    queryKey: ['percurso', empresa, placa],
    queryFn: ({ signal }) =>
      api.get(`/passagens/percurso${query({ placa, empresa_id: empresa })}`, percursoSchema, signal),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
  })

/** How a camera reads plates. */
export const leituraPlacasQuery = (api: Api, camera: number) =>
  queryOptions({
    queryKey: ['passagens', 'leitura', camera],
    queryFn: ({ signal }) => api.get(`/cameras/${camera}/leitura-placas`, leituraPlacasSchema, signal),
    refetchInterval: 10_000,
  })
