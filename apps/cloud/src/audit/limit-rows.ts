import { defineLimits, none } from '@vigia/contracts/limit-rows'

/** Records that each change of a caller leaves. */
export const limitRows = defineLimits([
  {
    what: 'Records: audit log',
    who: 'login, key, agent',
    item: none('a body of 1 MiB that passed its schema; secrets and pictures are left out'),
    connection: none('a change costs its caller a turn (Requests: processor time)'),
    edge: none('an edge changes no setting'),
    empresa: none('its requests take turns, and the records end by age'),
    root: none('as for an Empresa'),
    installation: {
      limit: 'free space of the disk: VIGIA_DISCO_MINIMO_MB',
      test: 'does not confirm a batch, so that the edge keeps it',
    },
  },
])
