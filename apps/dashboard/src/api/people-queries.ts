import { queryOptions } from '@tanstack/react-query'
import { conviteSchema } from '@vigia/contracts/convites'
import { limitesEmpresaSchema } from '@vigia/contracts/limites'
import { quiosqueSchema } from '@vigia/contracts/quiosques'
import { sessaoSchema } from '@vigia/contracts/sessoes'
import { usuarioSchema } from '@vigia/contracts/usuarios'
import { compareNames } from '../texts/locale.ts'
import type { Api } from './client.ts'
import { byName, query } from './queries.ts'

/** Rows of one list; the API's largest page. */
const PAGE_MAX = 200

const page = (empresa: number | null) =>
  `?limit=${PAGE_MAX}${empresa === null ? '' : `&empresa_id=${encodeURIComponent(empresa)}`}`

/** Sessions of the own login. */
export const sessoesQuery = (api: Api) =>
  queryOptions({
    queryKey: ['sessoes'],
    queryFn: ({ signal }) => api.get('/me/sessoes', sessaoSchema.array(), signal),
    refetchInterval: 60_000,
  })

/** Pending invitations, newest first. */
export const convitesQuery = (api: Api, empresa: number | null) =>
  queryOptions({
    queryKey: ['convites', empresa],
    queryFn: ({ signal }) => api.get(`/convites${page(empresa)}`, conviteSchema.array(), signal),
    refetchInterval: 60_000,
  })

/** Screens in kiosk mode, newest first. */
export const quiosquesQuery = (api: Api, empresa: number | null) =>
  queryOptions({
    queryKey: ['quiosques', empresa],
    queryFn: ({ signal }) => api.get(`/quiosques${page(empresa)}`, quiosqueSchema.array(), signal),
    refetchInterval: 60_000,
  })

/** Screens that the own login turned into quiosques. */
export const meusQuiosquesQuery = (api: Api) =>
  queryOptions({
    queryKey: ['quiosques', 'meus'],
    queryFn: ({ signal }) => api.get(`/quiosques${page(null)}&meus=true`, quiosqueSchema.array(), signal),
  })

/** Limits and use of one Empresa, or of the whole scope, by name. */
export const limitesQuery = (api: Api, empresa: number | null) =>
  queryOptions({
    queryKey: ['limites', empresa],
    queryFn: async ({ signal }) =>
      (await api.get(`/limites${query({ empresa_id: empresa })}`, limitesEmpresaSchema.array(), signal)).sort(byName),
  })

/** Logins in scope, by name. */
export const usuariosQuery = (api: Api) =>
  queryOptions({
    queryKey: ['usuarios'],
    queryFn: async ({ signal }) =>
      (await api.get('/usuarios', usuarioSchema.array(), signal)).sort((a, b) => compareNames(a.username, b.username)),
    staleTime: 300_000,
  })
