import { defineLimits, none } from '@vigia/contracts/limit-rows'
import { ROOT_TURNS, TURNS } from '../../http/turns.ts'
import { HEAVY_READS } from './heavy-reads.ts'

const BETWEEN = 'lets the event loop turn between the statements of one request'

/** Processor time, memory and connections of requests. */
export const limitRows = defineLimits([
  {
    what: 'Requests: processor time',
    who: 'login, key, agent',
    item: {
      limit: '50 ms of the thread without a turn of the event loop, on 300,000 events and 10,000 cameras',
      test: 'leaves the thread for a turn within 50 ms of its processor time, in every GET',
    },
    connection: { limit: '8 ms of statements in one turn of the event loop', test: BETWEEN },
    edge: none('an edge sends no such request'),
    empresa: {
      limit: `${TURNS.atOnce} at a time, ${TURNS.waiting} wait`,
      test: 'refuse a task when too many tasks of its holder wait',
    },
    root: {
      limit: `${ROOT_TURNS.atOnce} at a time, ${ROOT_TURNS.waiting} wait`,
      test: 'run up to `atOnce` tasks of one holder in parallel, and tasks of another holder at once',
    },
    installation: none('the roots take turns'),
  },
  {
    what: 'Heavy reads (counts, exports): time and number',
    who: 'administrador, key, agent',
    item: {
      limit: `${HEAVY_READS.longestMs / 1_000} s`,
      test: 'ends a read above its time, and the next one gets a new worker',
    },
    connection: none('counted by root'),
    edge: none('an edge sends no such request'),
    empresa: none('counted by root'),
    root: {
      limit: `1 at a time, ${HEAVY_READS.waiting} wait`,
      test: 'refuses a root with too many waiting reads',
    },
    installation: {
      limit: `${HEAVY_READS.atOnce} at a time in each process`,
      test: 'runs one at a time of each root, and another root passes',
    },
  },
  {
    what: 'Heavy reads: memory',
    who: 'administrador, key, agent',
    item: { limit: '100,000 rows of one statement', test: 'refuses more rows than an answer has' },
    connection: none('counted by root'),
    edge: none('an edge sends no such request'),
    empresa: none('counted by root'),
    root: none('one at a time of each root'),
    installation: none(`${HEAVY_READS.atOnce} at a time`),
  },
  {
    what: 'Connections to PostgreSQL',
    who: 'login, key, agent',
    item: {
      limit: '`VIGIA_BANCO_COMANDO_S` (30 s) for one statement',
      test: 'ends a statement above its time, and answers it with a sentence',
    },
    connection: none('counted by root'),
    edge: none('the work of edges belongs to no request'),
    empresa: none('counted by root'),
    root: {
      limit: 'a third of the connections of a process',
      test: 'leaves connections to other roots while one root asks for all',
    },
    installation: none('`VIGIA_BANCO_CONEXOES` is set by the operator'),
  },
])
