import { queryOptions } from '@tanstack/react-query'
import { preferenciasSchema } from '@vigia/contracts/preferencias'
import type { Api } from './client.ts'

/** Phrases and layouts of the login. */
export const preferenciasQuery = (api: Api) =>
  queryOptions({
    queryKey: ['preferencias'],
    queryFn: ({ signal }) => api.get('/me/preferencias', preferenciasSchema, signal),
    staleTime: 300_000,
  })
