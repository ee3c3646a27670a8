import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { registroAuditoriaSchema } from '@vigia/contracts/auditoria'
import { autorizacaoSchema } from '@vigia/contracts/autorizacoes'
import { cameraSchema } from '@vigia/contracts/cameras'
import { chaveSchema } from '@vigia/contracts/chaves'
import { edgeSchema } from '@vigia/contracts/edges'
import { empresaSchema } from '@vigia/contracts/empresas'
import {
  type Evento,
  eventoDetalheSchema,
  eventoSchema,
  lacunaVistaSchema,
  quedaSchema,
} from '@vigia/contracts/eventos'
import { limitesEmpresaSchema } from '@vigia/contracts/limites'
import { metadadosRecursoSchema } from '@vigia/contracts/oauth'
import { diagnosticoSchema } from '@vigia/contracts/pedidos'
import { filaVerificacaoSchema, pendenciaSchema } from '@vigia/contracts/pendencias'
import { saudeSchema } from '@vigia/contracts/saude'
import { meSchema } from '@vigia/contracts/sessoes'
import { usuarioSchema } from '@vigia/contracts/usuarios'
import { type FiltroAlertas, mergeEventos, vereditos } from '../alertas/alert-list.ts'
import type { FiltroAuditoria } from '../auditoria/audit-list.ts'
import type { RecentEvents } from '../live/recent-events.ts'
import { type FiltroQuedas, newestOutageFirst } from '../quedas/outage-list.ts'
import type { Api } from './client.ts'

/** Who is signed in. */
export const meQuery = (api: Api) =>
  queryOptions({ queryKey: ['me'], queryFn: ({ signal }) => api.get('/me', meSchema, signal), staleTime: 300_000 })

/** How the machine is. */
export const saudeQuery = (api: Api) =>
  queryOptions({
    queryKey: ['saude'],
    queryFn: ({ signal }) => api.getOutside('/healthz', saudeSchema, signal),
    refetchInterval: 15_000,
  })

/** Empresas in scope. */
export const empresasQuery = (api: Api) =>
  queryOptions({
    queryKey: ['empresas'],
    queryFn: ({ signal }) => api.get('/empresas', empresaSchema.array(), signal),
    staleTime: 300_000,
  })

/** Limits and use of one Empresa, or of the whole scope, by name. */
export const limitesQuery = (api: Api, empresa: number | null) =>
  queryOptions({
    queryKey: ['limites', empresa],
    queryFn: async ({ signal }) =>
      (await api.get(`/limites${query({ empresa_id: empresa })}`, limitesEmpresaSchema.array(), signal)).sort(byName),
  })

const byName = <T extends { readonly nome: string }>(a: T, b: T) =>
  a.nome.localeCompare(b.nome, 'pt-BR', { numeric: true })

/** Cameras of one Empresa, or of the whole scope, by name. */
export const camerasQuery = (api: Api, empresa: number | null) =>
  queryOptions({
    queryKey: ['cameras', empresa],
    queryFn: async ({ signal }) =>
      (await api.get(`/cameras${query({ empresa_id: empresa })}`, cameraSchema.array(), signal)).sort(byName),
    // Status changes come by the stream; this brings what does not (codec, cameras added by somebody else).
    refetchInterval: 60_000,
  })

/** Boxes of one Empresa, or of the whole scope, by name. No stream tells how they are: they are asked every 10 s. */
export const caixasQuery = (api: Api, empresa: number | null) =>
  queryOptions({
    queryKey: ['caixas', empresa],
    queryFn: async ({ signal }) =>
      (await api.get(`/edges${query({ empresa_id: empresa })}`, edgeSchema.array(), signal)).sort(byName),
    refetchInterval: 10_000,
  })

/** How a box is, asked of the box itself: it takes as long as it takes to answer. */
export const diagnosticoQuery = (api: Api, id: number) =>
  queryOptions({
    queryKey: ['diagnostico', id],
    queryFn: ({ signal }) => api.get(`/edges/${id}/diagnostico`, diagnosticoSchema, signal),
    // Each asking is work for the box: only a person asks again.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

/** Outages, newest first. `limite`: at most 200. */
export const quedasQuery = (api: Api, filtro: FiltroQuedas, limite: number) =>
  queryOptions({
    queryKey: ['quedas', filtro, limite],
    queryFn: async ({ signal }) => {
      const { empresa, caixa, camera, abertas } = filtro
      const path = `/quedas${query({ empresa_id: empresa, edge_id: caixa, camera_id: camera, abertas: abertas ? 'true' : null, limit: limite })}`
      return (await api.get(path, quedaSchema.array(), signal)).sort(newestOutageFirst)
    },
    // They come by the stream; this brings what was put right while the stream was down and nobody noticed.
    refetchInterval: 60_000,
  })

/** Events of a camera that are missing. */
export const lacunasQuery = (api: Api, camera: number) =>
  queryOptions({
    queryKey: ['lacunas', camera],
    queryFn: ({ signal }) =>
      api.get(`/lacunas${query({ camera_id: camera, limit: 200 })}`, lacunaVistaSchema.array(), signal),
    // What is on its way arrives while one looks.
    refetchInterval: 10_000,
  })

/**
 * The newest alerts that `filtro` shows. `limite`: how many to ask for, at most 200. What the stream brought while the
 * answer was on its way is put over it.
 */
export const eventosQuery = (api: Api, recent: RecentEvents, filtro: FiltroAlertas, limite: number) =>
  queryOptions({
    queryKey: ['eventos', filtro, limite],
    queryFn: async ({ signal }) => {
      const ask = (veredito: string | null): Promise<Evento[]> => {
        const { empresa, camera } = filtro
        const path = `/events${query({ empresa_id: empresa, camera_id: camera, veredito, limit: limite })}`
        return api.get(path, eventoSchema.array(), signal)
      }
      // The API filters by one verdict at a time; the newest of two lists are among the newest of each.
      const lists = await Promise.all((vereditos(filtro) ?? [null]).map(ask))
      const newest = mergeEventos([], lists.flat(), filtro).slice(0, limite)
      return mergeEventos(newest, recent.all(), filtro)
    },
  })

/** One alert with everything that is known about it. */
export const eventoQuery = (api: Api, id: number) =>
  queryOptions({
    queryKey: ['evento', id],
    queryFn: ({ signal }) => api.get(`/events/${id}`, eventoDetalheSchema, signal),
  })

/** Agents with access, newest first. `limite`: at most 200. No stream tells of a new one: they are asked every 10 s. */
export const autorizacoesQuery = (api: Api, empresa: number | null, limite: number) =>
  queryOptions({
    queryKey: ['autorizacoes', empresa, limite],
    queryFn: ({ signal }) =>
      api.get(`/autorizacoes${query({ empresa_id: empresa, limit: limite })}`, autorizacaoSchema.array(), signal),
    refetchInterval: 10_000,
  })

/** Keys that are fetched: the newest. */
export const CHAVES = 200

/** API keys of one Empresa, or of the whole scope, newest first. */
export const chavesQuery = (api: Api, empresa: number | null) =>
  queryOptions({
    queryKey: ['chaves', empresa],
    queryFn: ({ signal }) =>
      api.get(`/chaves${query({ empresa_id: empresa, limit: CHAVES })}`, chaveSchema.array(), signal),
    refetchInterval: 60_000,
  })

/** Where agents come in, as the central announces it to them (RFC 9728): it may have another name than this page. */
export const enderecoAgentesQuery = (api: Api) =>
  queryOptions({
    queryKey: ['endereco-agentes'],
    queryFn: async ({ signal }) =>
      (await api.getOutside('/.well-known/oauth-protected-resource/mcp', metadadosRecursoSchema, signal)).resource,
    staleTime: 300_000,
  })

/** Work that stopped, newest first; at most 200. */
export const pendenciasQuery = (api: Api, empresa: number | null) =>
  queryOptions({
    queryKey: ['pendencias', empresa],
    queryFn: ({ signal }) =>
      api.get(`/pendencias${query({ empresa_id: empresa, limit: MAX_PENDENCIAS })}`, pendenciaSchema.array(), signal),
    refetchInterval: 10_000,
  })
export const MAX_PENDENCIAS = 200

/** Events that wait for their verdict, by Empresa. */
export const filaVerificacaoQuery = (api: Api, empresa: number | null) =>
  queryOptions({
    queryKey: ['verificacao', empresa],
    queryFn: ({ signal }) =>
      api.get(`/verificacao${query({ empresa_id: empresa })}`, filaVerificacaoSchema.array(), signal),
    refetchInterval: 15_000,
  })

/** Logins in scope, by name. */
export const usuariosQuery = (api: Api) =>
  queryOptions({
    queryKey: ['usuarios'],
    queryFn: async ({ signal }) =>
      (await api.get('/usuarios', usuarioSchema.array(), signal)).sort((a, b) =>
        a.username.localeCompare(b.username, 'pt-BR', { numeric: true }),
      ),
    staleTime: 300_000,
  })

/** How many records one page of the audit log has. */
const REGISTROS = 50
/** The API takes no larger offset: older records are found by narrowing the filters. */
const OFFSET_MAXIMO = 10_000

/** Who changed what, newest first, page by page. */
export const auditoriaQuery = (api: Api, filtro: FiltroAuditoria) =>
  infiniteQueryOptions({
    queryKey: ['auditoria', filtro],
    queryFn: ({ pageParam, signal }) => {
      const { empresa, pessoa, coisa, porta, desde, ate } = filtro
      const path = `/auditoria${query({ empresa_id: empresa, usuario_id: pessoa, objeto: coisa, canal: porta, desde, ate, limit: REGISTROS, offset: pageParam })}`
      return api.get(path, registroAuditoriaSchema.array(), signal)
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      last.length < REGISTROS || pages.length * REGISTROS > OFFSET_MAXIMO ? null : pages.length * REGISTROS,
    // What was done while one looks comes in at the top; what it moves to the next page is shown once (audit-list.ts).
    refetchInterval: 60_000,
  })

function query(values: Record<string, string | number | null>): string {
  const set = Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]))
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`
}
