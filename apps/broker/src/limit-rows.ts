import { byteSize, defineLimits } from '@vigia/contracts/limit-rows'
import { MESSAGE_BYTES } from '@vigia/link/limits'
import { DEFAULT_LIMITS } from './limits.ts'

const { rates, receivedBytes, queuedBytes, connections, retained, maxPublishBytes } = DEFAULT_LIMITS

const READ = 'reads twenty boxes of one Empresa no faster than an Empresa may send, and a neighbour at its own rate'
const MEMORY = 'the memory of large publications is bounded per edge, per Empresa and together, and granted in turns'
const UNREAD = 'boxes that do not read hold no more memory than their Empresa may'
const LEVELS = 'bounds an edge, an Empresa and a root, each by its own rate after a burst'
const SHARES = 'bounds what an edge, an Empresa and a root hold, and the sum'

const rateOf = (level: 'edge' | 'empresa' | 'root') =>
  `${rates.packets[level]} packets and ${byteSize(rates.bytes[level])} a second, for 2 s at once`

/** The embedded broker. */
export const limitRows = defineLimits([
  {
    what: 'Broker: messages of edges',
    who: 'edge, on each of its topics',
    item: { limit: `${byteSize(maxPublishBytes)} a packet`, test: 'refuses a packet above the limit' },
    connection: {
      limit: 'as for an edge',
      test: 'a client that sends more bytes than its rate is read more slowly, without loss',
    },
    edge: { limit: rateOf('edge'), test: LEVELS },
    empresa: { limit: rateOf('empresa'), test: READ },
    root: { limit: rateOf('root'), test: LEVELS },
    installation: {
      limit: `${byteSize(DEFAULT_LIMITS.forwardAboveBytes)} wait for the cloud; beyond it edges wait for their turn`,
      test: 'after the attack ends, its waiting publications do not delay a neighbour',
    },
  },
  {
    what: 'Broker: memory of messages that are received or wait for their turn',
    who: 'edge',
    item: { limit: `${byteSize(maxPublishBytes)} a packet`, test: 'refuses a packet above the limit' },
    connection: { none: 'one session of an edge at a time' },
    edge: { limit: byteSize(receivedBytes.edge), test: MEMORY },
    empresa: { limit: byteSize(receivedBytes.empresa), test: MEMORY },
    root: { limit: byteSize(receivedBytes.root), test: SHARES },
    installation: { limit: byteSize(receivedBytes.installation), test: SHARES },
  },
  {
    what: 'Broker: memory of messages that an edge does not read',
    who: 'edge',
    item: { none: 'the cloud writes them, and its contracts bound each' },
    connection: {
      limit: byteSize(queuedBytes.edge),
      test: 'disconnects a subscriber that does not read, without delay for others',
    },
    edge: { limit: byteSize(queuedBytes.edge), test: UNREAD },
    empresa: { limit: byteSize(queuedBytes.empresa), test: UNREAD },
    root: { limit: byteSize(queuedBytes.root), test: SHARES },
    installation: { limit: byteSize(queuedBytes.installation), test: SHARES },
  },
  {
    what: 'Broker: connections',
    who: 'holder of a certificate',
    item: { none: 'a connection has no size' },
    connection: { none: 'counted by certificate' },
    edge: {
      limit: `${DEFAULT_LIMITS.maxSocketsPerCertificate} of one certificate`,
      test: 'bounds the number of connections, in total and of one certificate',
    },
    empresa: { limit: `${connections.empresa}`, test: 'the edges of one root leave connections for others' },
    root: {
      limit: `${connections.root}`,
      test: 'refuses no box of a neighbour when one Empresa has all its connections',
    },
    installation: {
      limit: `${DEFAULT_LIMITS.maxConnections}`,
      test: 'bounds the number of connections, in total and of one certificate',
    },
  },
  {
    what: 'Broker: retained states',
    who: 'edge (presence), cloud (desired state)',
    item: {
      limit: `${byteSize(MESSAGE_BYTES.presenca)} of presence; a desired state as in docs/link.md`,
      test: 'fits the largest message of %s',
    },
    connection: { none: 'counted by edge' },
    edge: {
      limit: `${retained.messages.edge} states, ${byteSize(retained.bytes.edge)}`,
      test: 'bounds the number and bytes of retained states; others are delivered without being retained',
    },
    empresa: {
      limit: `${retained.messages.empresa} states, ${byteSize(retained.bytes.empresa)}`,
      test: 'keeps the retained states of a neighbour when one Empresa has all its own',
    },
    root: {
      limit: `${retained.messages.root} states, ${byteSize(retained.bytes.root)}`,
      test: 'keeps the retained states of a neighbour when one Empresa has all its own',
    },
    installation: {
      limit: `${retained.messages.installation} states, ${byteSize(retained.bytes.installation)}`,
      test: 'bounds the number and bytes of retained states; others are delivered without being retained',
    },
  },
])
