import { byteSize, defineLimits, none } from '@vigia/contracts/limit-rows'
import { MAX_PER_EDGE } from '@vigia/link/requests'
import { ACTIVATION_BYTES } from './activation-routes.ts'
import { MAX_EDGES } from './create-edge.ts'
import { MAX_CAMERA_BYTES, MAX_EDGE_BYTES, MAX_EMPRESA_BYTES, MAX_TREE_BYTES } from './desired-limits.ts'

/** Boxes: settings of their cameras, commands, activation and certificates. */
export const limitRows = defineLimits([
  {
    what: 'Cameras: settings (geometry, agenda, masks, plates, addresses)',
    who: 'administrador, key, agent',
    item: {
      limit: `${byteSize(MAX_CAMERA_BYTES)} of one camera`,
      test: 'is an upper bound of the message size, and close to it',
    },
    connection: none('counted by Empresa'),
    edge: {
      limit: byteSize(MAX_EDGE_BYTES),
      test: 'refuses to remove an edge, or to create one, if its cameras do not fit',
    },
    empresa: { limit: byteSize(MAX_EMPRESA_BYTES), test: 'refuses growth only for the Empresa at its limit' },
    root: { limit: byteSize(MAX_TREE_BYTES), test: 'limits an account by the sum of all its Empresas' },
    installation: {
      limit: `${MAX_EDGES.toLocaleString('en')} edges`,
      test: 'limits the edges of an installation to the capacity of the list of certificates',
    },
  },
  {
    what: 'Edges: commands in progress',
    who: 'login, key, agent',
    item: none('a command of the contract'),
    connection: none('counted by edge'),
    edge: { limit: `${MAX_PER_EDGE}`, test: 'is refused above 32 pending commands of one edge' },
    empresa: none('its edges are limited'),
    root: none('its edges are limited'),
    installation: none('the operator creates the root Empresas'),
  },
  {
    what: 'Edges: activation',
    who: 'everybody',
    item: { limit: byteSize(ACTIVATION_BYTES), test: 'expires the code after 24 hours and limits the rate of guesses' },
    connection: none('counted by network (Rate: wrong activation codes)'),
    edge: none('a code works once'),
    empresa: none('its edges are limited'),
    root: none('its edges are limited'),
    installation: none('counted by network'),
  },
  {
    what: 'Edges: certificates',
    who: 'edge',
    item: none('the request has at most 16 KiB (Link: renovacao)'),
    connection: none('counted by edge'),
    edge: { limit: 'four renewals a day, two in force', test: 'renews at most four times a day' },
    empresa: none('its edges are limited'),
    root: none('its edges are limited'),
    installation: {
      limit: `${MAX_EDGES.toLocaleString('en')} edges`,
      test: 'limits the edges of an installation to the capacity of the list of certificates',
    },
  },
  {
    what: 'Edges: scans of their network',
    who: 'administrador',
    item: { limit: 'four networks', test: 'takes at most four networks' },
    connection: none('counted by edge'),
    edge: { limit: 'one a minute', test: 'scans once a minute, on record' },
    empresa: none('its edges are limited'),
    root: none('its edges are limited'),
    installation: none('the operator creates the root Empresas'),
  },
])
