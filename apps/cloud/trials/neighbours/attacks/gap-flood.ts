import { batch, gap } from '../../../src/test/records/records.ts'
import { type Attack, publishAll } from '../attack.ts'

/** Gap records of every second number, each stored as a row. */
export const gapFlood: Attack = {
  name: 'gap records without end',
  start: async (context) => {
    let seq = 0
    const next = () => {
      seq += 2
      return gap(context.cameraIds[2] ?? 0, seq, seq)
    }
    return publishAll(context, () => batch(Array.from({ length: 200 }, next)))
  },
}
