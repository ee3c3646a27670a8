import { queryOptions } from '@tanstack/react-query'
import { cameraSchema } from '@vigia/contracts/cameras'
import { empresaSchema } from '@vigia/contracts/empresas'
import {
  type Evento,
  eventoDetalheSchema,
  eventoSchema,
  lacunaVistaSchema,
  quedaSchema,
} from '@vigia/contracts/eventos'
import { gravidades } from '@vigia/contracts/ias'
import { type Incidente, incidenteDetalheSchema, incidenteSchema } from '@vigia/contracts/incidentes'
import { filaVerificacaoSchema, pendenciaSchema } from '@vigia/contracts/pendencias'
import { saudeSchema } from '@vigia/contracts/saude'
import { meSchema } from '@vigia/contracts/sessoes'
import { compareNames } from '../texts/locale.ts'
import type { Api } from './client.ts'
import { type FiltroQuedas, newestQuedaFirst } from './queda-list.ts'

/** The current login. */
export const meQuery = (api: Api) =>
  queryOptions({ queryKey: ['me'], queryFn: ({ signal }) => api.get('/me', meSchema, signal), staleTime: 300_000 })

/** State of the server. */
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

/** Order of lists by name. */
export const byName = <T extends { readonly nome: string }>(a: T, b: T) => compareNames(a.nome, b.nome)

/** Cameras of one Empresa, or of the whole scope, by name. */
export const camerasQuery = (api: Api, empresa: number | null) =>
  queryOptions({
    queryKey: ['cameras', empresa],
    queryFn: async ({ signal }) =>
      (await api.get(`/cameras${query({ empresa_id: empresa })}`, cameraSchema.array(), signal)).sort(byName),
    // The stream delivers status changes. Polling adds codecs and the cameras that another login created.
    refetchInterval: 60_000,
  })

/** Quedas, newest first. `limite`: at most 200. */
export const quedasQuery = (api: Api, filtro: FiltroQuedas, limite: number) =>
  queryOptions({
    queryKey: ['quedas', filtro, limite],
    queryFn: async ({ signal }) => {
      const { empresa, edge, camera, abertas } = filtro
      const scope = { empresa_id: empresa, edge_id: edge, camera_id: camera }
      const path = `/quedas${query({ ...scope, abertas: abertas ? 'true' : null, limit: limite })}`
      return (await api.get(path, quedaSchema.array(), signal)).sort(newestQuedaFirst)
    },
    // The stream delivers quedas. Polling corrects changes that were missed while the stream was down.
    refetchInterval: 60_000,
  })

/** Lacunas of a camera. */
export const lacunasQuery = (api: Api, camera: number) =>
  queryOptions({
    queryKey: ['lacunas', camera],
    queryFn: ({ signal }) =>
      api.get(`/lacunas${query({ camera_id: camera, limit: 200 })}`, lacunaVistaSchema.array(), signal),
    // Late events arrive while the page is open.
    refetchInterval: 10_000,
  })

/** Largest number of incidentes in one answer of the queue. */
export const MAX_FILA = 100

/** Query parameters of each filter of the queue. */
const situacoes = {
  sem_resposta: { atendido: 'false' },
  sem_revisao: { revisado: 'false' },
  respondidos: { atendido: 'true' },
} as const
export type SituacaoFila = keyof typeof situacoes
export const situacoesFila = ['sem_resposta', 'sem_revisao', 'respondidos'] as const satisfies readonly SituacaoFila[]

/**
 * The newest incidentes of the queue, of the unanswered ones the newest of each severity: none hides behind many of
 * less gravity. The stream delivers changes; a gap of the stream fetches them again.
 */
export const filaQuery = (api: Api, empresa: number | null, situacao: SituacaoFila) =>
  queryOptions({
    queryKey: ['incidentes', empresa, situacao],
    queryFn: async ({ signal }) => {
      const filters = { empresa_id: empresa, ...situacoes[situacao], limit: MAX_FILA }
      const parts = situacao === 'sem_resposta' ? gravidades.map((gravidade) => ({ ...filters, gravidade })) : [filters]
      const lists = parts.map((part) => api.get(`/incidentes${query(part)}`, incidenteSchema.array(), signal))
      return (await Promise.all(lists)).flat()
    },
  })

/** One incidente with its events and answers. */
export const incidenteQuery = (api: Api, id: number) =>
  queryOptions({
    queryKey: ['incidente', id],
    queryFn: ({ signal }) => api.get(`/incidentes/${id}`, incidenteDetalheSchema, signal),
  })

/** Ids of the neighbours in time; null: none. */
interface Neighbours {
  readonly older: number | null
  readonly newer: number | null
}

/** Lists are newest first, so that the next newer record is the last one of the first period that has any. */
const PERIODS_MS = [3_600_000, 86_400_000, 31 * 86_400_000]

async function neighboursOf(
  inicio: string,
  list: (filters: { desde: string | null; ate: string; limit: number }) => Promise<readonly { id: number }[]>,
): Promise<Neighbours> {
  const at = Date.parse(inicio)
  const iso = (ms: number) => new Date(ms).toISOString()
  const [older] = await list({ desde: null, ate: inicio, limit: 1 })
  for (const periodMs of PERIODS_MS) {
    const newer = (await list({ desde: iso(at + 1), ate: iso(at + 1 + periodMs), limit: 200 })).at(-1)
    if (newer) return { older: older?.id ?? null, newer: newer.id }
  }
  return { older: older?.id ?? null, newer: null }
}

/** The incidentes before and after one, by `inicio`. */
export const vizinhosIncidenteQuery = (
  api: Api,
  empresa: number | null,
  { id, inicio }: Pick<Incidente, 'id' | 'inicio'>,
) =>
  queryOptions({
    queryKey: ['incidentes', 'vizinhos', empresa, id],
    queryFn: ({ signal }) =>
      neighboursOf(inicio, (filters) =>
        api.get(`/incidentes${query({ empresa_id: empresa, ...filters })}`, incidenteSchema.array(), signal),
      ),
  })

/** The events before and after one of the same camera. */
export const vizinhosEventoQuery = (api: Api, { id, camera_id, ocorrido_em }: Evento) =>
  queryOptions({
    queryKey: ['evento', 'vizinhos', id],
    queryFn: ({ signal }) =>
      neighboursOf(ocorrido_em, (filters) =>
        api.get(`/events${query({ camera_id, ...filters })}`, eventoSchema.array(), signal),
      ),
  })

/** One alert with all its data. */
export const eventoQuery = (api: Api, id: number) =>
  queryOptions({
    queryKey: ['evento', id],
    queryFn: ({ signal }) => api.get(`/events/${id}`, eventoDetalheSchema, signal),
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

/** Number of events without a verdict, by Empresa. */
export const filaVerificacaoQuery = (api: Api, empresa: number | null) =>
  queryOptions({
    queryKey: ['verificacao', empresa],
    queryFn: ({ signal }) =>
      api.get(`/verificacao${query({ empresa_id: empresa })}`, filaVerificacaoSchema.array(), signal),
    refetchInterval: 15_000,
  })

/** Largest offset that the API accepts; narrower filters find older records. */
const OFFSET_MAXIMO = 10_000

/** Offset of the page behind `pages` with `size` entries each; null: there is none, or the API does not go there. */
export const nextOffset =
  (size: number) =>
  (last: readonly unknown[], pages: readonly unknown[]): number | null =>
    last.length < size || pages.length * size > OFFSET_MAXIMO ? null : pages.length * size

export function query(values: Record<string, string | number | null>): string {
  const set = Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]))
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`
}
