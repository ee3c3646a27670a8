import { MAX_BYTES_EXPORTACAO, MAX_EVENTOS_EXPORTACAO, MAX_PASSAGENS_EXPORTACAO } from '@vigia/contracts/exportacao'
import { byteSize, defineLimits, none } from '@vigia/contracts/limit-rows'

const FITS = 'names an end with which a period fits into one archive'
const rows = `${MAX_EVENTOS_EXPORTACAO} events and ${MAX_PASSAGENS_EXPORTACAO} passages`

/** Archives that a person downloads. */
export const limitRows = defineLimits([
  {
    what: 'Exports: records and bytes of an archive',
    who: 'administrador',
    item: { limit: `${rows}, ${byteSize(MAX_BYTES_EXPORTACAO)}`, test: FITS },
    connection: { limit: 'one chunk in memory', test: 'produces a chunk only after the previous one was read' },
    edge: none('an edge exports nothing'),
    empresa: none('counted by root (Heavy reads)'),
    root: none('one count at a time (Heavy reads)'),
    installation: none('an archive is a stream and no file'),
  },
])
