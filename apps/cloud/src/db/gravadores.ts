import type { Database } from './open.ts'
import type { GravadorRow } from './rows.ts'

/** A gravador with the number of its cameras. */
export type GravadorWithCount = GravadorRow & { cameras: number }

/** Query for gravadores with the number of their cameras. */
export const withCameraCount = (db: Database) =>
  db
    .selectFrom('gravadores')
    .selectAll('gravadores')
    .select((eb) =>
      eb
        .selectFrom('cameras')
        .whereRef('cameras.gravador_id', '=', 'gravadores.id')
        .select((count) => count.fn.countAll<number>().as('n'))
        .$asScalar()
        .$notNull()
        .as('cameras'),
    )

export const findGravador = (db: Database, id: number): Promise<GravadorWithCount | undefined> =>
  withCameraCount(db).where('gravadores.id', '=', id).executeTakeFirst()

/** @param host normalized by `canonicalHost` */
export const findGravadorAt = (
  db: Database,
  empresaId: number,
  host: string,
  porta: number,
): Promise<GravadorWithCount | undefined> =>
  withCameraCount(db)
    .where('gravadores.empresa_id', '=', empresaId)
    .where('gravadores.host', '=', host)
    .where('gravadores.porta', '=', porta)
    .executeTakeFirst()
