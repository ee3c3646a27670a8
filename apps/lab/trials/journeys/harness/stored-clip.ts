import type { Api } from '@vigia/testing/api'
import { waitFor } from '@vigia/testing/wait'

interface StoredClip {
  /** Id of the event. */
  readonly id: number
  readonly clip_deslocamento_ms: number
}

/** The newest confirmed event whose clip is stored. */
export const withClip = (api: Api): Promise<StoredClip> =>
  waitFor(
    'a stored clip',
    async () => {
      const events = await api.get<{ id: number; clip_url: string | null }[]>('/events?veredito=confirmado&limit=20')
      const found = events.find(({ clip_url }) => clip_url !== null)
      return found ? api.get<StoredClip>(`/events/${found.id}`) : null
    },
    { timeoutMs: 120_000, everyMs: 500 },
  )
