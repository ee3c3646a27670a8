import { byteSize, defineLimits } from '@vigia/contracts/limit-rows'
import { BYTES_PER_PIXEL, PICTURE_BYTES } from '@vigia/link/jpeg-size'
import { MESSAGE_BYTES } from '@vigia/link/limits'

const LARGEST = byteSize(MESSAGE_BYTES.aovivo)
const SIZE = 'refuses a live picture with more bytes than its pixels need'
const CAMERAS = { none: 'the newest picture of each watched camera; the cameras of an Empresa are limited' }

/** Live pictures over MQTT: frames of live views, and small pictures of mosaics. */
export const limitRows = defineLimits([
  {
    what: 'Live pictures: memory',
    who: 'edge',
    item: {
      limit: `${BYTES_PER_PIXEL} bytes a pixel and ${byteSize(PICTURE_BYTES)}, at most ${LARGEST}`,
      test: SIZE,
    },
    connection: { none: 'all viewers of a camera share its newest picture' },
    edge: CAMERAS,
    empresa: CAMERAS,
    root: CAMERAS,
    installation: { none: 'the operator limits the cameras of each root Empresa' },
  },
])
