import { defineLimits } from '@vigia/contracts/limit-rows'
import { MOST_BOOTS } from './boot-store.ts'

const one = { none: 'an outbox belongs to one edge' }

/** The starts of its machine that an edge keeps. */
export const limitRows = defineLimits([
  {
    what: 'Outbox: starts of the machine whose records can still get their right times',
    who: 'edge',
    item: { none: 'one row of each start' },
    connection: one,
    edge: { limit: `${MOST_BOOTS}`, test: 'bounds the number of starts of the machine' },
    empresa: one,
    root: one,
    installation: one,
  },
])
