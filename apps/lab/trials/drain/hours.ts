import { join } from 'node:path'
import { waitFor } from '@vigia/testing/wait'
import { startWorld } from '../../src/counting/world.ts'
import { type OutboxContent, readOutbox } from './peers-store.ts'

/** Bytes of one event on an analysed stream of this size (docs/performance.md, "Extras on the disk of an edge"). */
export const streams = [
  { name: '384x288', pictureBytes: 12_100, evidenceBytes: 4_300 },
  { name: '640x480', pictureBytes: 25_700, evidenceBytes: 6_000 },
  { name: '768x576', pictureBytes: 39_400, evidenceBytes: 7_500 },
] as const

const CAMERAS = 10
const EVENTS_HOUR = CAMERAS * 60
const QUOTA_MB = 64
const MB = 1024 * 1024
const GB = 1_000_000_000
/** Share of the quota that events fill before the bytes per event are read. */
const FILLED = 0.5
/** Bytes of the events of the second part in quotas. */
const OVERFILLED = 1.5
const FILL_MS = 300_000

export interface Hours {
  readonly bytesPerEvent: number
  /** Hours of an outage until 1 GB drops anything. */
  readonly complete: number
  /** Hours of events with their own pictures in a full outbox of 1 GB. */
  readonly withPictures: number
  /** Further pictures in the full outbox. */
  readonly extras: number
}

/**
 * Measures for how long an outbox keeps everything, and then the pictures of events. Ten cameras have an event a minute
 * each. `evidenceBytes`: bytes of each of two further pictures per event; 0: none.
 * @throws Error when the events are not stored in time
 */
export async function measureHours(pictureBytes: number, evidenceBytes: number): Promise<Hours> {
  const world = await startWorld({ cameras: CAMERAS, outboxMb: QUOTA_MB })
  const { edgeDir, programs, start } = world.installation
  /** Fills the outbox up to this number of events of each camera. */
  const fill = async (upTo: number): Promise<OutboxContent> => {
    await world.control({ upTo, evidenceBytes, pictureBytes, rate: 200, together: 5 })
    await waitFor('the events to be on the disk', () => world.complete(), { timeoutMs: FILL_MS })
    await programs.edge.stop()
    return readOutbox(join(edgeDir, 'edge.db'))
  }
  const bytes = pictureBytes + 2 * evidenceBytes
  const events = (share: number, of: number) => Math.floor((QUOTA_MB * MB * share) / of / CAMERAS)
  try {
    await programs.broker.stop()
    const half = await fill(events(FILLED, bytes))
    const bytesPerEvent = half.usedBytes / half.records
    await start('edge')
    const full = await fill(events(OVERFILLED, pictureBytes))
    return {
      bytesPerEvent,
      complete: GB / bytesPerEvent / EVENTS_HOUR,
      withPictures: (full.withPictures * GB) / (QUOTA_MB * MB) / EVENTS_HOUR,
      extras: full.extras,
    }
  } finally {
    await world.close()
  }
}
