import { queryOptions } from '@tanstack/react-query'
import { verificadorExternoSchema } from '@vigia/contracts/verificador-externo'
import type { Api } from '../../../api/client.ts'

/** The service and its use by one Empresa, or by all in scope. */
export const verificadorQuery = (api: Api, empresa: number | null) =>
  queryOptions({
    queryKey: ['verificador-externo', empresa],
    queryFn: ({ signal }) => {
      const search = empresa === null ? '' : `?empresa_id=${empresa}`
      return api.get(`/verificador-externo${search}`, verificadorExternoSchema, signal)
    },
    refetchInterval: 30_000,
  })
