import { batch } from '../../../src/test/records/records.ts'
import { type Attack, publishAll } from '../attack.ts'
import { hostileEvent } from './hostile-event.ts'

/** Live records that announce millions of outstanding records, so that the cloud would reserve ids for them. */
export const idReservation: Attack = {
  name: 'sequence numbers with holes of a million',
  start: async (context) => {
    let seq = 1
    return publishAll(context, () => {
      seq += 1_000_000
      return batch([{ ...hostileEvent(context.cameraIds[1] ?? 0, seq), base: 1, desde: seq }])
    })
  },
}
