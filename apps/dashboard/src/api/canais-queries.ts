import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { canalNotificacaoSchema, type EstadoEntrega, entregaSchema } from '@vigia/contracts/notificacoes'
import type { Api } from './client.ts'

/** Canais of one Empresa, or of the whole scope. */
export const canaisQuery = (api: Api, empresa: number | null) =>
  queryOptions({
    queryKey: ['canais', empresa],
    queryFn: ({ signal }) => {
      const search = empresa === null ? '' : `?empresa_id=${empresa}`
      return api.get(`/notificacoes${search}`, canalNotificacaoSchema.array(), signal)
    },
    refetchInterval: 15_000,
  })

export const canalQuery = (api: Api, id: number) =>
  queryOptions({
    queryKey: ['canais', 'um', id],
    queryFn: ({ signal }) => api.get(`/notificacoes/${id}`, canalNotificacaoSchema, signal),
  })

/** Deliveries of one page; the API's default. */
const ENTREGAS = 50
/** Largest offset of the API. */
const OFFSET_MAX = 10_000

/** Deliveries of a canal, newest first. */
export const entregasQuery = (api: Api, canal: number, estado: EstadoEntrega | null) =>
  infiniteQueryOptions({
    queryKey: ['canais', 'entregas', canal, estado],
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams({ limit: String(ENTREGAS), offset: String(pageParam) })
      if (estado !== null) search.set('estado', estado)
      return api.get(`/notificacoes/${canal}/entregas?${search}`, entregaSchema.array(), signal)
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      last.length < ENTREGAS || pages.length * ENTREGAS > OFFSET_MAX ? null : pages.length * ENTREGAS,
    // New deliveries move others to the next page; entregas-page.tsx removes duplicates.
    refetchInterval: 15_000,
  })
