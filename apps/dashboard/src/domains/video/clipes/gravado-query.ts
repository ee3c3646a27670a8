import { queryOptions } from '@tanstack/react-query'
import { gravacaoListadaSchema } from '@vigia/contracts/gravacoes'
import type { Api } from '../../../api/client.ts'
import { shiftDay } from '../../../base/tempo/calendar-day.ts'
import type { Fuso } from '../../../base/tempo/format-time.ts'
import { instantOf } from '../../../base/tempo/period.ts'
import type { Span } from '../../../ui/hour-view.ts'

const DAY_MS = 86_400_000
const FRESH_MS = 5 * 60_000

/** A calendar day (`2026-11-21`) of `fuso`. */
export const daySpan = (day: string, fuso: Fuso): Span => ({
  desde: instantOf(day, 0, fuso),
  ate: instantOf(shiftDay(day, 1), 0, fuso),
})

/**
 * Recordings on the recorder and on the edge in a day. Each fetch makes the recorder read its disk. A list covers 24
 * hours, so that the last hour of a day of 25 is missing.
 */
export const gravadoQuery = (api: Api, cameraId: number, { desde, ate: end }: Span) => {
  const ate = Math.min(end, desde + DAY_MS)
  return queryOptions({
    queryKey: ['gravado', cameraId, desde, ate],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ inicio: new Date(desde).toISOString(), fim: new Date(ate).toISOString() })
      return api.get(`/cameras/${cameraId}/gravacao?${query}`, gravacaoListadaSchema, signal)
    },
    staleTime: FRESH_MS,
    refetchOnWindowFocus: false,
    retry: false,
  })
}
