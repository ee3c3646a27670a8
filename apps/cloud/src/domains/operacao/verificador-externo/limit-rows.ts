import { defineLimits } from '@vigia/contracts/limit-rows'
import { CANDIDATES_IN_A_ROW } from '../../../adapters/verifier/vlm-pauses.ts'

/** The external verifier, which all Empresas share. */
export const limitRows = defineLimits([
  {
    what: 'External verifier: candidates that fail',
    who: 'edge, through its events',
    item: {
      limit: 'one call if the service refuses it',
      test: 'status %i is of this candidate: no pause, and no later call for it',
    },
    connection: { none: 'candidates come from the work queue' },
    edge: { none: 'counted by Empresa' },
    empresa: {
      limit: `${CANDIDATES_IN_A_ROW} in a row, then a pause of 5 s to 5 min`,
      test: 'an Empresa whose candidates keep failing (%s) pauses alone',
    },
    root: { none: 'each Empresa accepts the service and pays for it itself' },
    installation: {
      limit: 'only failures of the service pause all, 5 s to 5 min',
      test: 'pauses after failures, and is asked again afterwards',
    },
  },
])
