import { byteSize, defineLimits } from '@vigia/contracts/limit-rows'
import { MAX_REGISTRO_BYTES, MIN_PARTE_BYTES } from '@vigia/contracts/transmissao'
import { CONTROL_RATE } from '../../../http/control-frames.ts'
import { MOST_TEXTS } from './read-owner.ts'
import { KEPT_MS, MOST_PARTS, MOST_WINDOW_BYTES } from './segment-list.ts'
import { CAMERA_RATE, CONNECTION_RECORDS, MOST_ROOT, PROCESS_RATE, rateOf, STREAM_RATE } from './upload-rates.ts'
import { MOST_WAITING } from './waiting-bytes.ts'
import { LEAST_WINDOW_BYTES } from './window-budget.ts'

const ATTACK = 'closes an upload of 147,000 small parts at line speed, while a neighbour goes on'
const CAMERAS = 'are refused above the records of its cameras, and a neighbour is not'
const ROOT = 'is refused above its rates, however many cameras and Empresas it has'
const SHARE = 'with more than an equal share is refused while the process is above its rates, and others pass'
const BUDGET = 'never holds more bytes than the budget, however many windows grow'
const NEIGHBOUR = 'keeps an equal share for a neighbour of a root that takes all memory'
const TAKEN = { none: 'the budget of its root Empresa counts all its windows' }
const VIEWER = 'closes with 1008 after a message of the client, and with 1009 after one that is too large'
const FRAME = 'a control frame has at most 125 bytes (RFC 6455, 5.5)'
const PINGS = `${CONTROL_RATE.recordsPerS} a second, ${CONTROL_RATE.burstRecords} at once`
const STREAMS = { none: 'the connections of each stream are limited' }
const LOGINS = { none: 'the connections of each login are limited' }
const EDGES = { none: 'counted by stream and by Empresa' }

/** Live video from edges: uploads, those that a replica passes on or reads, and their windows. */
export const limitRows = defineLimits([
  {
    what: 'Live upload: records',
    who: 'edge, replica',
    item: {
      limit: `a part has at least ${MIN_PARTE_BYTES} bytes, and a segment at most ${MOST_PARTS} parts`,
      test: 'waits for the next segment beyond the largest number of parts',
    },
    connection: {
      limit: `${STREAM_RATE.recordsPerS} a second, ${STREAM_RATE.burstRecords} at once; then close code 1008`,
      test: ATTACK,
    },
    edge: EDGES,
    empresa: {
      limit: `${CAMERA_RATE.recordsPerS} a second for each camera, at least ${rateOf(0).recordsPerS}`,
      test: CAMERAS,
    },
    root: { limit: `the same for all its cameras, at most ${MOST_ROOT.recordsPerS} a second`, test: ROOT },
    installation: {
      limit: `${PROCESS_RATE.recordsPerS} a second of one process; above them an equal share for each root Empresa`,
      test: SHARE,
    },
  },
  {
    what: 'Live upload: bytes',
    who: 'edge, replica',
    item: { limit: byteSize(MAX_REGISTRO_BYTES), test: 'beyond its limits is refused' },
    connection: {
      limit: `${byteSize(STREAM_RATE.bytesPerS)} a second, ${byteSize(STREAM_RATE.burstBytes)} at once; then code 1008`,
      test: 'is refused above its bytes',
    },
    edge: EDGES,
    empresa: {
      limit: `${byteSize(CAMERA_RATE.bytesPerS)} a second for each camera, at least ${byteSize(rateOf(0).bytesPerS)}`,
      test: 'are refused above the bytes of its cameras',
    },
    root: { limit: `the same for all its cameras, at most ${byteSize(MOST_ROOT.bytesPerS)} a second`, test: ROOT },
    installation: {
      limit: `${byteSize(PROCESS_RATE.bytesPerS)} a second of one process; above it an equal share for each root`,
      test: SHARE,
    },
  },
  {
    what: 'Live upload: connections',
    who: 'edge, replica',
    item: { none: 'a handshake has a fixed size' },
    connection: {
      limit: `one for each stream; a further one counts as ${CONNECTION_RECORDS} records, and gets 429 above the rates`,
      test: 'refuses connections of a stream above its rates, and accepts one when they have recovered',
    },
    edge: { none: 'an edge connects only for a stream that somebody watches' },
    empresa: { limit: 'by its records', test: 'begin no faster with many connections' },
    root: { limit: 'by its records', test: ROOT },
    installation: { limit: 'by its records', test: SHARE },
  },
  {
    what: 'Live upload between replicas: records',
    who: 'replica',
    item: { none: 'the same records as of an edge' },
    connection: {
      limit: `${STREAM_RATE.recordsPerS} a second, ${STREAM_RATE.burstRecords} at once, also of an upload passed on`,
      test: 'leaves an owner that sends records above the rates of a stream, and reads it again',
    },
    edge: EDGES,
    empresa: { none: 'counted with its uploads' },
    root: { none: 'counted with its uploads' },
    installation: { none: 'counted with the uploads' },
  },
  {
    what: 'Live upload between replicas: texts',
    who: 'replica',
    item: { none: 'a text is as long as a record at most' },
    connection: { limit: `${MOST_TEXTS}`, test: 'leaves an owner that sends texts without end' },
    edge: { none: 'an edge sends no texts' },
    empresa: STREAMS,
    root: STREAMS,
    installation: STREAMS,
  },
  {
    what: 'Live upload between replicas: bytes that wait for a slow owner',
    who: 'edge',
    item: { none: 'a record has a limit' },
    connection: { limit: byteSize(MOST_WAITING.one), test: 'ends an upload whose owner does not read it' },
    edge: EDGES,
    empresa: STREAMS,
    root: STREAMS,
    installation: {
      limit: `${byteSize(MOST_WAITING.all)} of one process; above them an upload with more than an equal share ends`,
      test: 'ends the uploads with more than an equal share when those of all wait',
    },
  },
  {
    what: 'Live upload: pings',
    who: 'edge, replica',
    item: { none: FRAME },
    connection: { limit: PINGS, test: 'closes an upload that pings without end' },
    edge: { none: 'its connections are limited' },
    empresa: STREAMS,
    root: STREAMS,
    installation: STREAMS,
  },
  {
    what: 'Live upload between replicas: pings',
    who: 'replica',
    item: { none: FRAME },
    connection: { limit: PINGS, test: 'leaves an owner that pings without end, and answers the pings of another' },
    edge: { none: 'an edge is no replica' },
    empresa: STREAMS,
    root: STREAMS,
    installation: STREAMS,
  },
  {
    what: 'Live view and alerts (WebSocket): pings of a viewer',
    who: 'login, key, replica',
    item: { none: FRAME },
    connection: { limit: PINGS, test: 'drops a viewer that pings without end' },
    edge: { none: 'an edge is no viewer' },
    empresa: LOGINS,
    root: LOGINS,
    installation: LOGINS,
  },
  {
    what: 'Live view and alerts (WebSocket): messages of a viewer',
    who: 'login, key, replica',
    item: { limit: '1 KiB is read', test: VIEWER },
    connection: { limit: 'the first one ends it', test: VIEWER },
    edge: { none: 'an edge is no viewer' },
    empresa: LOGINS,
    root: LOGINS,
    installation: LOGINS,
  },
  {
    what: 'Live windows: memory',
    who: 'edge, login, key',
    item: {
      limit: `${byteSize(MOST_WINDOW_BYTES)}; segments older than ${KEPT_MS / 1000} s go`,
      test: 'never holds more bytes than its limit, whatever arrives',
    },
    connection: { none: 'a stream has one window for all its viewers' },
    edge: TAKEN,
    empresa: TAKEN,
    root: { limit: 'an equal share of the budget while it is full', test: NEIGHBOUR },
    installation: { limit: 'VIGIA_AO_VIVO_MEMORIA_MB of each process', test: BUDGET },
  },
  {
    what: 'Live windows: number',
    who: 'login, key',
    item: { none: 'one for each stream of a camera' },
    connection: { none: 'a connection views one stream' },
    edge: TAKEN,
    empresa: TAKEN,
    root: {
      limit: `its share of the budget by ${byteSize(LEAST_WINDOW_BYTES)}`,
      test: 'refuses a new stream of a root without memory, and admits it in place of one that nobody watches',
    },
    installation: {
      limit: 'the budget of each process',
      test: 'refuses a stream without memory for its window, and orders nothing',
    },
  },
])
