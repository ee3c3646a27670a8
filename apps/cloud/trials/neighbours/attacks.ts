import type { Attack } from './attack.ts'
import { deepPages } from './attacks/deep-pages.ts'
import { diskFilling } from './attacks/disk-filling.ts'
import { eventFlood } from './attacks/event-flood.ts'
import { gapFlood } from './attacks/gap-flood.ts'
import { halfOpen } from './attacks/half-open.ts'
import { idReservation } from './attacks/id-reservation.ts'
import { liveFlood } from './attacks/live-flood.ts'
import { manyStreams } from './attacks/many-streams.ts'
import { richCameras } from './attacks/rich-cameras.ts'
import { slowestRoute } from './attacks/slowest-route.ts'
import { twentyBoxes } from './attacks/twenty-boxes.ts'
import { wrongPasswords } from './attacks/wrong-passwords.ts'

/** The rows of the trial, in their order. */
export const attacks: readonly Attack[] = [
  eventFlood,
  idReservation,
  gapFlood,
  liveFlood,
  twentyBoxes,
  deepPages,
  slowestRoute,
  richCameras,
  wrongPasswords,
  manyStreams,
  halfOpen,
  diskFilling,
]
