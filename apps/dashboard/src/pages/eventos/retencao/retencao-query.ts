import { queryOptions } from '@tanstack/react-query'
import { apagamentoSchema } from '@vigia/contracts/apagamentos'
import { retencaoSchema } from '@vigia/contracts/retencao'
import type { Api } from '../../../api/client.ts'

/** Retention and use of one Empresa. */
export const retencaoQuery = (api: Api, empresa: number) =>
  queryOptions({
    queryKey: ['retencao', empresa],
    queryFn: ({ signal }) => api.get(`/empresas/${empresa}/retencao`, retencaoSchema, signal),
  })

const PROGRESS_MS = 2_000

/** Deletions by period of one Empresa, the newest first. */
export const apagamentosQuery = (api: Api, empresa: number) =>
  queryOptions({
    queryKey: ['apagamentos', empresa],
    queryFn: ({ signal }) => api.get(`/empresas/${empresa}/apagamentos`, apagamentoSchema.array(), signal),
    refetchInterval: ({ state: { data } }) => (data?.some(({ estado }) => estado === 'em_curso') ? PROGRESS_MS : false),
  })
