import type { Selectable } from 'kysely'
import { pagesByParts } from '../../../db/id-parts.ts'
import type { Pages } from '../../../db/list-page.ts'
import type { Database } from '../../../db/open.ts'
import type { Tables } from '../../../db/tables.ts'

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

/** Newest first, in order of recording. */
export const gapsOf = (db: Database, filter: LacunaFilter): Pages<LacunaRow> =>
  pagesByParts(db, 'lacunas', filtered(db, filter))
