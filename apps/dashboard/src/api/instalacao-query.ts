import { queryOptions } from '@tanstack/react-query'
import { instalacaoSchema } from '@vigia/contracts/instalacao'
import type { Api } from './client.ts'

/** How far the installation of an Empresa has come. Its boxes and cameras go on while the installer waits. */
export const instalacaoQuery = (api: Api, empresa: number) =>
  queryOptions({
    queryKey: ['instalacao', empresa],
    queryFn: ({ signal }) => api.get(`/empresas/${empresa}/instalacao`, instalacaoSchema, signal),
    refetchInterval: 5_000,
    refetchOnMount: 'always',
  })
