import { byteSize, defineLimits, none } from '@vigia/contracts/limit-rows'
import { MAX_BYTES, SPILL } from '../capture/clip-recorder.ts'

const one = none('each edge runs on a machine of its own')

/** Video that an edge keeps. */
export const limitRows = defineLimits([
  {
    what: 'Clips on the edge: memory of the last seconds',
    who: 'camera, recorder',
    item: { limit: byteSize(MAX_BYTES), test: 'drops whole groups of pictures above its byte limit' },
    connection: { limit: byteSize(MAX_BYTES), test: 'keeps held packets beyond its span, within its byte limit' },
    edge: none('its cameras are limited, and the capture process has a limit of memory'),
    empresa: one,
    root: one,
    installation: one,
  },
  {
    what: 'Clips on the edge: disk for a long group of pictures',
    who: 'camera, recorder',
    item: none('the groups of a camera cover the longest part before an event'),
    connection: none('counted by capture process'),
    edge: {
      limit: `${byteSize(SPILL.maxBytes)} of each capture process; ${byteSize(SPILL.reserveBytes)} stay free`,
      test: 'drops a group that neither the memory nor the disk can hold',
    },
    empresa: one,
    root: one,
    installation: one,
  },
  {
    what: 'Clips on the edge: bytes on the disk',
    who: 'camera, recorder',
    item: none('60 s of video'),
    connection: none('counted by edge'),
    edge: { limit: 'the quota of clips', test: 'drops the oldest clips above its quota, each with the reason' },
    empresa: one,
    root: one,
    installation: one,
  },
  {
    what: 'Continuous recordings on the edge: bytes on the disk',
    who: 'camera, recorder',
    item: none('files of a minute'),
    connection: none('counted by edge'),
    edge: {
      limit: 'the quota and the free space of the disk',
      test: 'deletes the oldest files of the camera that uses the most, and stops on a full disk',
    },
    empresa: one,
    root: one,
    installation: one,
  },
  {
    what: 'Edge: connections to one recorder',
    who: 'login, key, through their views',
    item: none('one stream'),
    connection: {
      limit: 'limit of the recorder',
      test: 'never asks for a third connection: a playback gives way to viewers, who share one stream',
    },
    edge: none('its recorders are limited'),
    empresa: one,
    root: one,
    installation: one,
  },
  {
    what: 'Edge: commands and their answers',
    who: 'cloud',
    item: { limit: 'its time limit', test: 'gets its time limit' },
    connection: { limit: '32 at once', test: 'runs at most 32 commands at once' },
    edge: {
      limit: '16 MiB of kept answers',
      test: 'keeps only the latest answers up to the byte limit, and repeats no command',
    },
    empresa: one,
    root: one,
    installation: one,
  },
])
