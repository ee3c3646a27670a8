import type { Selectable } from 'kysely'
import { countByParts, listByParts } from '../../../db/id-parts.ts'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'
import type { PageRows } from '../../../http/page-cursor.ts'

export type LacunaRow = Selectable<Tables['lacunas']>

export interface LacunaFilter {
  /** Empresas of the cameras; null: all cameras, including removed ones. */
  readonly empresas: readonly number[] | null
  readonly edgeId: number | undefined
  readonly cameraId: number | undefined
}

const filtered = (db: Database, { empresas, edgeId, cameraId }: LacunaFilter) =>
  db
    .selectFrom('lacunas')
    .$if(empresas !== null, (qb) =>
      qb.where('camera_id', 'in', (eb) =>
        eb
          .selectFrom('cameras')
          .select('id')
          .where('empresa_id', 'in', empresas ?? []),
      ),
    )
    .$if(edgeId !== undefined, (qb) => qb.where('edge_id', '=', edgeId ?? 0))
    .$if(cameraId !== undefined, (qb) => qb.where('camera_id', '=', cameraId ?? 0))

/** The order is that of recording, newest first. */
export const listGaps = (db: Database, filter: LacunaFilter, page: PageRows): Promise<LacunaRow[]> =>
  listByParts(db, 'lacunas', filtered(db, filter), page)

export const countGaps = (db: Database, filter: LacunaFilter): Promise<number> =>
  countByParts(db, 'lacunas', filtered(db, filter))
