import { queryOptions } from '@tanstack/react-query'
import { edgeSchema } from '@vigia/contracts/edges'
import { gravadorSchema } from '@vigia/contracts/gravadores'
import { diagnosticoSchema } from '@vigia/contracts/pedidos'
import { alcanceVarreduraSchema } from '@vigia/contracts/varredura'
import type { Api } from './client.ts'
import { byName, query } from './queries.ts'

/**
 * Edges of one Empresa, or of the whole scope, by name. The stream has no measurements of edges, so they are polled
 * every 10 s.
 */
export const edgesQuery = (api: Api, empresa: number | null) =>
  queryOptions({
    queryKey: ['edges', empresa],
    queryFn: async ({ signal }) =>
      (await api.get(`/edges${query({ empresa_id: empresa })}`, edgeSchema.array(), signal)).sort(byName),
    refetchInterval: 10_000,
  })

/** Time between two requests for the status of an edge that is being installed. */
const INSTALLING_MS = 3_000

/** One edge, followed until it is online. */
export const edgeQuery = (api: Api, id: number) =>
  queryOptions({
    queryKey: ['edge', id],
    queryFn: ({ signal }) => api.get(`/edges/${id}`, edgeSchema, signal),
    refetchInterval: ({ state }) => (state.data?.status === 'online' ? false : INSTALLING_MS),
  })

/** Diagnosis that the edge itself answers, without a time limit of the page. */
export const diagnosticoQuery = (api: Api, id: number) =>
  queryOptions({
    queryKey: ['diagnostico', id],
    queryFn: ({ signal }) => api.get(`/edges/${id}/diagnostico`, diagnosticoSchema, signal),
    // Each request costs the edge work, so that only the user repeats it.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** Networks that a scan by this edge would try; the edge itself answers. */
export const alcanceVarreduraQuery = (api: Api, edge: number) =>
  queryOptions({
    queryKey: ['alcance-varredura', edge],
    queryFn: ({ signal }) => api.get(`/edges/${edge}/varredura`, alcanceVarreduraSchema, signal),
    retry: false,
    staleTime: 60_000,
  })

/** Gravadores of one Empresa, or of the whole scope, by name. */
export const gravadoresQuery = (api: Api, empresa: number | null) =>
  queryOptions({
    queryKey: ['gravadores', empresa],
    queryFn: async ({ signal }) =>
      (await api.get(`/gravadores${query({ empresa_id: empresa })}`, gravadorSchema.array(), signal)).sort(byName),
    refetchInterval: 60_000,
  })
