import { byteSize, defineLimits, none } from '@vigia/contracts/limit-rows'
import { BODY_LIMIT, DEPTH_LIMIT } from './body.ts'
import { CHUNK } from './list-answer.ts'
import { MOST_CONNECTIONS, timeLimits } from './listen.ts'
import { LONGEST_MESSAGE } from './upgrade.ts'
import { MOST_ITEMS } from './validation-items.ts'

const noEdge = none('an edge sends no such request')
const TURNS = none('its requests take turns (Requests: processor time)')
const s = (ms: number) => `${ms / 1_000} s`

/** Requests and answers of the HTTP application. */
export const limitRows = defineLimits([
  {
    what: 'HTTP: body of a request',
    who: 'everybody; an upload has a row of its own',
    item: { limit: `${byteSize(BODY_LIMIT)}, or that of its route`, test: 'refuse more than 1 MiB, announced or not' },
    connection: none('one request at a time (HTTP/1.1)'),
    edge: none('it has only its activation: 16 KiB'),
    empresa: TURNS,
    root: TURNS,
    installation: none('its connections and their time are limited'),
  },
  {
    what: 'HTTP: depth and problems of a body',
    who: 'everybody',
    item: {
      limit: `${DEPTH_LIMIT} levels of lists and objects; ${MOST_ITEMS} problems are answered`,
      test: 'may be at most 32 levels deep',
    },
    connection: none('one request at a time (HTTP/1.1)'),
    edge: none('its body is small'),
    empresa: none('counted by request'),
    root: none('counted by request'),
    installation: none('counted by request'),
  },
  {
    what: 'HTTP: connections and their time',
    who: 'everybody',
    item: {
      limit: `${s(timeLimits.headerMs)} for the header, ${s(timeLimits.requestMs)} for the request`,
      test: 'answers 408 to a body that arrives too slowly, with Content-Length or in chunks',
    },
    connection: none('the header has at most 16 KiB (Node.js)'),
    edge: none('a connection has no edge before its request'),
    empresa: none('a connection has no Empresa before its request'),
    root: none('a connection has no Empresa before its request'),
    installation: {
      limit: MOST_CONNECTIONS.toLocaleString('en'),
      test: 'closes connections beyond the largest number, and accepts one when another has ended',
    },
  },
  {
    what: 'HTTP: answer that nobody reads',
    who: 'login, key, agent',
    item: {
      limit: 'one message, or one chunk',
      test: 'buffers one message for a client that does not read, and drops the client',
    },
    connection: {
      limit: 'one message, or one chunk',
      test: 'produces a chunk only after the previous one was read',
    },
    edge: noEdge,
    empresa: none('the streams of a login are limited'),
    root: none('the streams of a login are limited'),
    installation: none('its connections are limited'),
  },
  {
    what: 'HTTP: streams of alerts (SSE, WebSocket)',
    who: 'login, key',
    item: {
      limit: `a client sends nothing; ${byteSize(LONGEST_MESSAGE)} end it`,
      test: 'with a broken handshake is refused and does not count as an open stream',
    },
    connection: { limit: '32 of one login or key', test: 'the number of streams of a login is limited' },
    edge: noEdge,
    empresa: none('the logins and keys of an Empresa are limited'),
    root: none('as for an Empresa'),
    installation: none('all read one shared log, and its connections are limited'),
  },
  {
    what: 'HTTP: live views',
    who: 'login, key',
    item: none('a camera has one stream for all its viewers'),
    connection: { limit: '32 of one login or key', test: 'above 32 views of one login' },
    edge: none('it sends each picture once'),
    empresa: none('the logins and keys of an Empresa are limited'),
    root: none('as for an Empresa'),
    installation: none('its connections are limited'),
  },
  {
    what: 'HTTP: mosaics',
    who: 'login, key',
    item: none('64 cameras, by the contract of the query'),
    connection: { limit: '16 of one login or key', test: 'above 16 mosaics of one login' },
    edge: none('it sends each picture once'),
    empresa: none('the logins and keys of an Empresa are limited'),
    root: none('as for an Empresa'),
    installation: none('its connections are limited'),
  },
  {
    what: 'HTTP: rows of a page',
    who: 'login, key, agent',
    item: {
      limit: '200 rows; at most 10,000 skipped rows',
      test: 'no list skips more than 10,000 rows; the refusal names the cursor, which every list accepts',
    },
    connection: none('one request at a time (HTTP/1.1)'),
    edge: noEdge,
    empresa: TURNS,
    root: TURNS,
    installation: none('the roots take turns'),
  },
  {
    what: 'Lists of cameras, edges, gravadores, logins: memory of an answer',
    who: 'login, key, agent',
    item: { limit: `${CHUNK} rows at once`, test: 'is read in chunks' },
    connection: {
      limit: 'one whole list of a login at a time, 8 wait',
      test: 'of a login waits for the one before it, and is refused when too many wait',
    },
    edge: { none: 'an edge requests no list' },
    empresa: { none: 'each login of an Empresa holds one chunk, and logins have a limit' },
    root: { none: 'as for an Empresa' },
    installation: { none: 'one chunk for each login' },
  },
])
