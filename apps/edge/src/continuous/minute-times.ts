import type { EdgeDb } from '../db/edge-db.ts'
import type { EdgeTime } from '../time/edge-time.ts'
import { createRecordTimes } from '../time/record-times.ts'
import type { MinuteTimes } from './minute-correction.ts'

/** The time for recordings. The clock of a battery counts as right: a rename of whole days would follow an error. */
export function minuteTimes(db: EdgeDb, time: Pick<EdgeTime, 'state' | 'place'>): MinuteTimes {
  const times = createRecordTimes(db)
  return {
    place(wallMs) {
      const { at, stamp } = time.place(wallMs)
      return { at, stamp: time.state === 'desconhecida' ? stamp : null }
    },
    correction: (stamp) => (time.state === 'conhecida' ? times.correction(stamp) : null),
  }
}
