import { queryOptions } from '@tanstack/react-query'
import { type Gravacao, gravacaoSchema } from '@vigia/contracts/gravacoes'
import type { Api } from '../../../api/client.ts'

export const isUnderWay = ({ estado }: Pick<Gravacao, 'estado'>): boolean => estado !== 'pronta' && estado !== 'falhou'

/** The recordings of a camera, the newest request first. Fetched again while one is under way. */
export const gravacoesQuery = (api: Api, cameraId: number) =>
  queryOptions({
    queryKey: ['gravacoes', cameraId],
    queryFn: ({ signal }) => api.get(`/cameras/${cameraId}/gravacoes`, gravacaoSchema.array(), signal),
    refetchInterval: ({ state: { data } }) => (data?.some(isUnderWay) ? 2_000 : 30_000),
  })
