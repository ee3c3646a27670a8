import { byteSize, defineLimits, none } from '@vigia/contracts/limit-rows'
import { MAX_EQUIPAMENTOS_VARREDURA } from '@vigia/contracts/varredura'
import { MAX_HELD } from './client/reorder.ts'
import { MAX_HEAD, MAX_BODY as RTSP_BODY } from './client/wire.ts'
import { MAX_BODY } from './http-exchange.ts'
import { LIMIT } from './reply.ts'

const boxes = none('each edge runs on a machine of its own')

/** Answers of cameras and recorders, which an edge reads. */
export const limitRows = defineLimits([
  {
    what: 'Devices: answers over HTTP (ONVIF, interfaces of the makers)',
    who: 'camera, recorder',
    item: { limit: byteSize(MAX_BODY), test: 'reads an endless answer only up to the limit' },
    connection: { limit: 'two calls to a device in parallel', test: 'limits the calls to a device to two in parallel' },
    edge: none('commands in progress are limited (Edges: commands in progress)'),
    empresa: boxes,
    root: boxes,
    installation: boxes,
  },
  {
    what: 'Devices: RTSP messages',
    who: 'camera, recorder',
    item: {
      limit: `${byteSize(MAX_HEAD)} of headers, ${byteSize(RTSP_BODY)} of a body`,
      test: 'refuses endless headers and an announced body above the message limit',
    },
    connection: {
      limit: byteSize(MAX_HEAD + RTSP_BODY),
      test: 'refuses endless headers and an announced body above the message limit',
    },
    edge: none('its cameras are limited'),
    empresa: boxes,
    root: boxes,
    installation: boxes,
  },
  {
    what: 'Devices: RTP packets over UDP that wait for an earlier one',
    who: 'camera, recorder',
    item: { limit: 'one datagram, 64 KiB', test: 'holds at most 64 packets' },
    connection: { limit: `${MAX_HELD} packets`, test: 'holds at most 64 packets' },
    edge: none('its cameras are limited'),
    empresa: boxes,
    root: boxes,
    installation: boxes,
  },
  {
    what: 'Devices: answers to a probe',
    who: 'camera, recorder',
    item: { limit: byteSize(LIMIT), test: 'reads at most 64 KiB' },
    connection: {
      limit: 'the time of one answer',
      test: 'limits a slow header to the time of one answer, not per byte',
    },
    edge: none('probes are limited (Rate: probes of devices)'),
    empresa: boxes,
    root: boxes,
    installation: boxes,
  },
  {
    what: 'Devices: answers to a scan (ports, pages, WS-Discovery, names)',
    who: 'everything in the network of an edge',
    item: none('16 KiB of a page or a datagram, 256 characters of a text'),
    connection: none('a datagram has no connection'),
    edge: {
      limit: `four networks, ${MAX_EQUIPAMENTOS_VARREDURA} devices of an answer`,
      test: 'takes at most four networks',
    },
    empresa: boxes,
    root: boxes,
    installation: boxes,
  },
])
