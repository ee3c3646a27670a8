import { queryOptions } from '@tanstack/react-query'
import { presetSchema, ptzSchema } from '@vigia/contracts/ptz'
import type { Api } from '../../../api/client.ts'

/** The person who moves a camera, and whether it is away; polled, because the stream does not report it. */
export const ptzQuery = (api: Api, id: number) =>
  queryOptions({
    queryKey: ['ptz', id],
    queryFn: ({ signal }) => api.get(`/cameras/${id}/ptz`, ptzSchema, signal),
    refetchInterval: ({ state: { data } }) => (data?.disponivel === false ? false : 5_000),
  })

/** The presets of a camera, read from the device. */
export const presetsQuery = (api: Api, id: number) =>
  queryOptions({
    queryKey: ['ptz', id, 'presets'],
    queryFn: ({ signal }) => api.get(`/cameras/${id}/ptz/presets`, presetSchema.array(), signal),
    staleTime: 300_000,
    retry: false,
  })
