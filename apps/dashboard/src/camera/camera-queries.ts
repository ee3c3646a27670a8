import { queryOptions } from '@tanstack/react-query'
import { cameraSchema } from '@vigia/contracts/cameras'
import { provaSchema } from '@vigia/contracts/provas'
import type { Api } from '../api/client.ts'

/** One camera with all its fields. */
export const cameraQuery = (api: Api, id: number) =>
  queryOptions({
    queryKey: ['camera', id],
    queryFn: ({ signal }) => api.get(`/cameras/${id}`, cameraSchema, signal),
    // The stream delivers status changes. Polling detects changes by another login.
    refetchInterval: 15_000,
  })

/** Number of fetched provas. */
export const PROVAS = 50

/** Walk tests of a camera, newest first. */
export const provasQuery = (api: Api, id: number) =>
  queryOptions({
    queryKey: ['provas', id],
    queryFn: ({ signal }) => api.get(`/cameras/${id}/provas?limit=${PROVAS}`, provaSchema.array(), signal),
  })
