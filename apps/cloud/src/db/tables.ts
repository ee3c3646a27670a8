import type { TablesOf } from '../nouns/define-noun.ts'
import type { domains } from '../nouns/nouns.ts'
import type { EspacoTables } from './espaco-tables.ts'
import type { EventoTables } from './evento-tables.ts'
import type { RelogioTables } from './relogio-tables.ts'
import type { ReplicaTables } from './replica-tables.ts'
import type { WorkTables } from './work-tables.ts'

/**
 * The cloud's tables: those of nouns (`noun.ts` of each feature), and those of the machinery. Times are epoch ms (UTC).
 * Columns ending in `_json` hold JSON text. Booleans are 0/1, because SQLite has no boolean type. Ids are integers and
 * never reused.
 */
export interface Tables
  extends TablesOf<typeof domains>,
    WorkTables,
    EspacoTables,
    EventoTables,
    RelogioTables,
    ReplicaTables {
  contato_central: ContatoCentralTable
}

/** One row, written by every process of the cloud while it runs. */
interface ContatoCentralTable {
  id: number
  visto_em: number
}
