import { MAX_DATAS_FERIADOS, MAX_JANELAS, MAX_LISTAS_FERIADOS } from '@vigia/contracts/horarios'
import { KEYFRAME_REQUEST_MS } from '@vigia/contracts/keyframes'
import { defineLimits, none } from '@vigia/contracts/limit-rows'
import { PROVA_ARMADA_S } from '@vigia/contracts/provas'
import { MOST_JANELAS } from '../../../db/janelas-prova.ts'
import { MAX_CAMERAS, MAX_DEVICES } from './keyframe-requests.ts'
import { MOST_PROVAS } from './prova-store.ts'

const KEYFRAMES = 'asks at most 32 cameras after a report, and eight devices at the same time'

/** Records of cameras. */
export const limitRows = defineLimits([
  {
    what: 'Cameras: records of walk tests',
    who: 'administrador, key',
    item: none('50 events, by the code'),
    connection: {
      limit: `${MOST_PROVAS.toLocaleString('en')} of one camera; a further one replaces the oldest`,
      test: 'are at most a thousand of a camera: a further one replaces the oldest',
    },
    edge: none('an edge makes none'),
    empresa: none('its cameras are limited'),
    root: none('its cameras are limited'),
    installation: none('the operator creates the root Empresas'),
  },
  {
    what: 'Cameras: times of walk tests',
    who: 'administrador, key',
    item: {
      limit: `${PROVA_ARMADA_S / 60} minutes`,
      test: 'ends by itself after five minutes',
    },
    connection: {
      limit: `${MOST_JANELAS} of one camera; a further one replaces the oldest`,
      test: 'keeps the times of the newest twenty',
    },
    edge: none('an edge makes none'),
    empresa: none('its cameras are limited'),
    root: none('its cameras are limited'),
    installation: none('the operator creates the root Empresas'),
  },
  {
    what: 'Cameras: windows of an IA, and lists of holidays',
    who: 'administrador, key',
    item: {
      limit: `${MAX_JANELAS} windows of an IA; ${MAX_DATAS_FERIADOS} dates of a list`,
      test: 'holds at most ten lists of forty dates',
    },
    connection: none('counted by Empresa'),
    edge: none('the bytes of its desired state are limited'),
    empresa: { limit: `${MAX_LISTAS_FERIADOS} lists of holidays`, test: 'holds at most ten lists of forty dates' },
    root: none('counted by Empresa'),
    installation: none('the operator creates the root Empresas'),
  },
  {
    what: 'Cameras: requests for keyframes',
    who: 'edge',
    item: {
      limit: `each camera every ${KEYFRAME_REQUEST_MS / 1000} s`,
      test: 'asks a device for the keyframes of a camera at most once each 30 s',
    },
    connection: none('one session of an edge at a time'),
    edge: { limit: `${MAX_CAMERAS} cameras of one report, ${MAX_DEVICES} devices at a time`, test: KEYFRAMES },
    empresa: none('its edges are limited'),
    root: none('its edges are limited'),
    installation: none('the operator creates the root Empresas'),
  },
])
