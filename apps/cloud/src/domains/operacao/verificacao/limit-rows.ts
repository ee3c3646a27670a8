import { defineLimits } from '@vigia/contracts/limit-rows'
import { HUNG_PAUSE } from '../../../adapters/verifier/hung-candidates.ts'
import { OVERDUE_MS, TAKEOVER_MS } from '../../../adapters/verifier/verifier-pair.ts'

/** The processes that decode pictures of candidates, which all Empresas share. */
export const limitRows = defineLimits([
  {
    what: 'Verification: time of one candidate',
    who: 'edge, through its events',
    item: {
      limit: `${TAKEOVER_MS / 1_000} s, then a second process takes over; and ends it after ${OVERDUE_MS / 1_000} s`,
      test: 'verifies the following candidates in a second process while one hangs',
    },
    connection: { none: 'candidates come from the work queue' },
    edge: { none: 'counted by Empresa' },
    empresa: {
      limit: `after one that hangs a pause of ${(2 * HUNG_PAUSE.minMs) / 1_000} s to ${HUNG_PAUSE.maxMs / 60_000} min`,
      test: 'pauses the Empresa of a candidate that hangs, and no other',
    },
    root: { none: 'its Empresas verify in turns' },
    installation: { none: 'a process decodes one picture at a time' },
  },
])
