import { MAX_CLIPE_BYTES } from '@vigia/contracts/extras'
import { MAX_GRAVACAO_BYTES } from '@vigia/contracts/gravacoes'
import { byteSize, defineLimits } from '@vigia/contracts/limit-rows'
import { EDGE_UPLOAD, REQUESTS_AT_ONCE, ROOT_UPLOAD } from './upload-rates.ts'

const INSTALLATION = { none: 'a sender above its rates waits, and the operator creates the root Empresas' }

/** Uploads of clips and recordings by tus. */
export const limitRows = defineLimits([
  {
    what: 'Clip uploads: bytes',
    who: 'edge',
    item: {
      limit: `as announced: ${byteSize(MAX_CLIPE_BYTES)} of a clip, ${byteSize(MAX_GRAVACAO_BYTES)} of a recording`,
      test: 'of another length or another content is refused, and may begin again',
    },
    connection: { none: 'counted by edge' },
    edge: {
      limit: `${byteSize(EDGE_UPLOAD.bytesPerS)} a second; more waits`,
      test: 'lets the bytes of an edge wait above its rate, and not those of another',
    },
    empresa: { none: 'counted by edge and by root Empresa' },
    root: {
      limit: `${byteSize(ROOT_UPLOAD.bytesPerS)} a second; more waits`,
      test: 'lets the bytes of all edges of a root Empresa wait above its rate, and not those of a neighbour',
    },
    installation: INSTALLATION,
  },
  {
    what: 'Clip uploads: requests',
    who: 'edge',
    item: {
      limit: `a chunk of a body counts; ${EDGE_UPLOAD.recordsPerS} a second`,
      test: 'lets small chunks and requests of an edge wait above their rate',
    },
    connection: { none: 'counted by edge' },
    edge: {
      limit: `${REQUESTS_AT_ONCE} at a time; more get 429`,
      test: 'refuses more requests of an edge at a time',
    },
    empresa: { none: 'counted by edge and by root Empresa' },
    root: {
      limit: `${ROOT_UPLOAD.recordsPerS} chunks a second`,
      test: 'lets the bytes of all edges of a root Empresa wait above its rate, and not those of a neighbour',
    },
    installation: INSTALLATION,
  },
])
