import { infiniteQueryOptions } from '@tanstack/react-query'
import { buscaEventosSchema, buscaIncidentesSchema } from '@vigia/contracts/busca'
import type { Api } from '../../../api/client.ts'

export const alvos = ['incidentes', 'eventos'] as const
type Alvo = (typeof alvos)[number]

/** A search with the names of the API; undefined and null: any. */
export interface FiltroBusca {
  readonly alvo: Alvo
  readonly empresa_id: number | undefined
  readonly frase: string | undefined
  readonly camera_id: number | undefined
  readonly tipo: string | undefined
  readonly gravidade: string | undefined
  readonly veredito: string | undefined
  readonly atendido_por: string | undefined
  readonly certeza: string | undefined
  readonly nota: string | undefined
  readonly prova: string | undefined
  readonly hora_de: string | undefined
  readonly hora_ate: string | undefined
  readonly desde: string | null
  readonly ate: string | null
}

/** Fills the screen of a laptop; the list goes on by itself. */
const LIMIT = 20

/** Results in pages, newest first. A page may be empty and have a next one: the server limits the work for a page. */
export const buscaQuery = (api: Api, { alvo, ...filtro }: FiltroBusca) =>
  infiniteQueryOptions({
    queryKey: ['busca', alvo, filtro],
    queryFn: async ({ pageParam, signal }) => {
      const values = { ...filtro, limit: LIMIT, cursor: pageParam }
      const set = Object.entries(values).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]]))
      const path = `/busca/${alvo}?${new URLSearchParams(set)}`
      return alvo === 'eventos'
        ? { alvo, ...(await api.get(path, buscaEventosSchema, signal)) }
        : { alvo, ...(await api.get(path, buscaIncidentesSchema, signal)) }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ proximo }) => proximo,
  })
