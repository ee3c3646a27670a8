import { MAX_CLIPE_BYTES } from '@vigia/contracts/extras'
import { MAX_GRAVACAO_BYTES } from '@vigia/contracts/gravacoes'
import { byteSize, defineLimits } from '@vigia/contracts/limit-rows'
import { BYTES_PER_PIXEL, PICTURE_BYTES } from '@vigia/link/jpeg-size'

const EVICTED = 'the oldest pictures of the lowest severity go, and none of a preserved event'
const CLIPS = 'go before pictures, of the lowest severity first, then the oldest, and no more than needed'
const SHARE = 'a root above its equal share waits while the disk is nearly full'
const PICTURE = 'with too many bytes for its pixels is left out, and its event is stored'

const ofEmpresas = {
  empresa: { limit: 'limite_bytes of it and of each ancestor', test: EVICTED },
  root: { limit: 'limite_bytes, or its share of the disk', test: SHARE },
  installation: {
    limit: 'free space of the disk: VIGIA_DISCO_MINIMO_MB',
    test: 'does not confirm a batch, so that the edge keeps it',
  },
} as const
const byEmpresa = { none: 'counted by Empresa' } as const

/** Everything that lands on the disk of the media. */
export const limitRows = defineLimits([
  {
    what: 'Disk: pictures',
    who: 'edge',
    item: { limit: `${byteSize(PICTURE_BYTES)} and ${BYTES_PER_PIXEL} bytes for each pixel`, test: PICTURE },
    connection: byEmpresa,
    edge: byEmpresa,
    ...ofEmpresas,
  },
  {
    what: 'Disk: clips, recordings, copies',
    who: 'edge, login, key',
    item: {
      limit: `${byteSize(MAX_CLIPE_BYTES)} of a clip, ${byteSize(MAX_GRAVACAO_BYTES)} of a recording`,
      test: 'of another length or another content is refused, and may begin again',
    },
    connection: byEmpresa,
    edge: byEmpresa,
    ...ofEmpresas,
    empresa: { limit: ofEmpresas.empresa.limit, test: CLIPS },
  },
  {
    what: 'Disk: training data',
    who: 'login, agent',
    item: { none: 'a copy of a stored picture, which the next review replaces' },
    connection: byEmpresa,
    edge: byEmpresa,
    ...ofEmpresas,
    empresa: {
      limit: 'limite_bytes counts them',
      test: 'count every picture with its row, and no more once it is deleted',
    },
  },
  {
    what: 'Disk: unfinished uploads of clips',
    who: 'edge',
    item: {
      limit: `${byteSize(MAX_CLIPE_BYTES)} of a clip, ${byteSize(MAX_GRAVACAO_BYTES)} of a recording, for 24 hours`,
      test: 'without new bytes for 24 h, or of a deleted clip, is removed',
    },
    connection: { none: 'counted by edge' },
    edge: { none: 'an order of the cloud begins it; four at a time' },
    empresa: {
      limit: 'limite_bytes has space for the whole clip',
      test: 'waits while its Empresa has no space, and keeps its bytes',
    },
    root: { none: 'each Empresa below it has four orders at a time' },
    installation: {
      limit: 'free space of the disk: VIGIA_DISCO_MINIMO_MB',
      test: 'does not confirm a batch, so that the edge keeps it',
    },
  },
])
