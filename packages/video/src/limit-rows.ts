import { byteSize, defineLimits } from '@vigia/contracts/limit-rows'
import { MAX_DECODER_BYTES, MAX_DECODER_PIXELS } from './decoder-budget.ts'
import { MAX_REDIRECTION } from './redirection-filter.ts'

const own = { none: 'each connection has a decoder of its own; the capture process has a limit of memory' }

/** Decoders of streams, clips and pictures, and answers to FFmpeg's client. */
export const limitRows = defineLimits([
  {
    what: 'Decoder: memory of the pictures of a stream',
    who: 'camera, recorder, file of an edge',
    item: {
      limit: byteSize(MAX_DECODER_BYTES),
      test: 'computes the memory of a decoder from the sequence parameter set',
    },
    connection: { limit: byteSize(MAX_DECODER_BYTES), test: 'ends a stream whose description is above the budget' },
    edge: own,
    empresa: own,
    root: own,
    installation: own,
  },
  {
    what: 'Decoder: pixels of a single picture',
    who: 'camera, recorder',
    item: {
      limit: `${MAX_DECODER_PIXELS.toLocaleString('en')} pixels`,
      test: 'decodes no picture above the limit of pixels',
    },
    connection: { none: 'one picture is decoded at a time' },
    edge: { none: 'the process of the pictures has a limit of memory' },
    empresa: { none: 'counted by edge' },
    root: { none: 'counted by edge' },
    installation: { none: 'counted by edge' },
  },
  {
    what: "Devices: head of a redirection of FFmpeg's client",
    who: 'camera, recorder',
    item: { limit: byteSize(MAX_REDIRECTION), test: 'ends a redirection without an end at its limit' },
    connection: { none: 'a connection ends with its first redirection' },
    edge: { none: 'its cameras are limited' },
    empresa: { none: 'each edge runs on a machine of its own' },
    root: { none: 'each edge runs on a machine of its own' },
    installation: { none: 'each edge runs on a machine of its own' },
  },
])
