import { batch } from '../../../src/test/records/records.ts'
import { type Attack, publishAll } from '../attack.ts'
import { hostileEvent } from './hostile-event.ts'

const EVENTS = 3_000
const PER_BATCH = 30

/** Eventos in batches, in order, like an edge with a backlog. */
export const eventFlood: Attack = {
  name: '3,000 events of one edge',
  start: async (context) => {
    let seq = 0
    const next = () => {
      seq += 1
      return hostileEvent(context.cameraIds[0] ?? 0, seq)
    }
    return publishAll(context, () => batch(Array.from({ length: PER_BATCH }, next)), EVENTS / PER_BATCH)
  },
}
