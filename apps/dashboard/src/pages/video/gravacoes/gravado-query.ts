import { queryOptions } from '@tanstack/react-query'
import { gravacaoListadaSchema } from '@vigia/contracts/gravacoes'
import type { Api } from '../../../api/client.ts'
import { shiftDay } from '../../../base/tempo/calendar-day.ts'
import type { Fuso } from '../../../base/tempo/format-time.ts'
import { instantOf } from '../../../base/tempo/period.ts'

const DAY_MS = 86_400_000
const FRESH_MS = 5 * 60_000

export interface DaySpan {
  /** Epoch ms; `ate` exclusive. */
  readonly desde: number
  readonly ate: number
}

/** A calendar day (`2026-11-21`) of `fuso`. A list covers 24 hours, so that the last hour of a day of 25 is missing. */
export const daySpan = (day: string, fuso: Fuso): DaySpan => {
  const desde = instantOf(day, 0, fuso)
  return { desde, ate: Math.min(instantOf(shiftDay(day, 1), 0, fuso), desde + DAY_MS) }
}

/** Recordings on the recorder and on the edge in a period. Each fetch makes the recorder read its disk. */
export const gravadoQuery = (api: Api, cameraId: number, { desde, ate }: DaySpan) =>
  queryOptions({
    queryKey: ['gravado', cameraId, desde, ate],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ inicio: new Date(desde).toISOString(), fim: new Date(ate).toISOString() })
      return api.get(`/cameras/${cameraId}/gravacao?${query}`, gravacaoListadaSchema, signal)
    },
    staleTime: FRESH_MS,
    refetchOnWindowFocus: false,
    retry: false,
  })
