import { heldClipeIds, heldEventoIds } from '../../../db/held-eventos.ts'
import type { Database } from '../../../db/open.ts'

/** Bounds of arrival below which a sweep at `now` deletes data of an Empresa; epoch ms, exclusive. */
export interface SweepBounds {
  readonly empresaId: number
  readonly now: number
  readonly eventos: number
  /** Number of unanswered incidentes. */
  readonly unanswered: number
  readonly imagens: number
  readonly clipes: number
}

/** Events of incidentes whose newest event is older than the bound, without held ones; as `takeEventosDue` deletes. */
export async function countEventosDue(
  db: Database,
  { empresaId, now, eventos, unanswered }: SweepBounds,
): Promise<number> {
  const old = db
    .selectFrom('eventos')
    .select((eb) => eb.ref('incidente_id').$notNull().as('incidente_id'))
    .where('empresa_id', '=', empresaId)
    .where('recebido_em', '<', eventos)
    .where('incidente_id', 'is not', null)
  const incidentes = db
    .selectFrom('eventos')
    .select((eb) => eb.ref('incidente_id').$notNull().as('id'))
    .select(({ fn }) => [fn.countAll<number>().as('n'), fn.max('recebido_em').as('newest')])
    .where('incidente_id', 'in', old)
    .groupBy('incidente_id')
  const whole = await db
    .selectFrom(incidentes.as('e'))
    .innerJoin('incidentes', 'incidentes.id', 'e.id')
    .select(({ fn }) => fn.sum<number | null>('e.n').as('n'))
    .where((eb) =>
      eb.or([
        eb('e.newest', '<', unanswered),
        eb.and([
          eb('e.newest', '<', eventos),
          eb.or([eb('incidentes.resposta', 'is not', null), eb('incidentes.situacao', '=', 'refutado')]),
        ]),
      ]),
    )
    .where('e.id', 'not in', (eb) =>
      eb
        .selectFrom('eventos')
        .select((of) => of.ref('incidente_id').$notNull().as('incidente_id'))
        .where('incidente_id', 'is not', null)
        .where('id', 'in', heldEventoIds(db, now)),
    )
    .executeTakeFirstOrThrow()
  const single = await db
    .selectFrom('eventos')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('empresa_id', '=', empresaId)
    .where('incidente_id', 'is', null)
    .where('recebido_em', '<', eventos)
    .where('id', 'not in', heldEventoIds(db, now))
    .executeTakeFirstOrThrow()
  return Number(whole.n ?? 0) + Number(single.n)
}

/** Events whose pictures go. */
export async function countPicturesDue(db: Database, { empresaId, now, imagens }: SweepBounds): Promise<number> {
  const { n } = await db
    .selectFrom('eventos')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('empresa_id', '=', empresaId)
    .where('recebido_em', '<', imagens)
    .where((eb) => eb.or([eb('crop_path', 'is not', null), eb('quadro_path', 'is not', null)]))
    .where('id', 'not in', heldEventoIds(db, now))
    .executeTakeFirstOrThrow()
  return Number(n)
}

export async function countClipesDue(db: Database, { empresaId, now, clipes }: SweepBounds): Promise<number> {
  const { n } = await db
    .selectFrom('clipes')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('empresa_id', '=', empresaId)
    .where('recebido_em', '<', clipes)
    .where('id', 'not in', heldClipeIds(db, now))
    .executeTakeFirstOrThrow()
  return Number(n)
}
