import { byteSize, defineLimits, none } from '@vigia/contracts/limit-rows'
import { budgets } from '../adapters/rate-limits/budgets.ts'
import { MOST_RECORD_BYTES } from './audit-change.ts'

/** Records that each change of a caller leaves. */
export const limitRows = defineLimits([
  {
    what: 'Records: audit log',
    who: 'login, key, agent',
    item: {
      limit: `${byteSize(MOST_RECORD_BYTES)}; longer fields are cut, secrets and pictures left out`,
      test: 'is cut with a mark where its fields are too long, and stays below 64 KiB',
    },
    connection: none('counted by root Empresa'),
    edge: none('an edge changes no setting'),
    empresa: none('counted by root Empresa; the records end by age'),
    root: {
      limit: `${budgets.mudanca.uses} in ${budgets.mudanca.windowS} s; a change above them is refused`,
      test: 'above the records of their root are refused with 429, and change nothing',
    },
    installation: {
      limit: 'free space of the disk: VIGIA_DISCO_MINIMO_MB',
      test: 'does not confirm a batch, so that the edge keeps it',
    },
  },
])
