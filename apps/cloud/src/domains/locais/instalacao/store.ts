import type { Database } from '../../../db/open.ts'

export const countGravadores = async (db: Database, empresaId: number): Promise<number> => {
  const { n } = await db
    .selectFrom('gravadores')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('empresa_id', '=', empresaId)
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** The active cameras of an Empresa, ordered by id, each with its newest walk test. */
export const camerasWithProva = (db: Database, empresaId: number, limit: number) =>
  db
    .selectFrom('cameras')
    .leftJoin('provas', (join) =>
      join.on('provas.id', '=', (eb) =>
        eb
          .selectFrom('provas as own')
          .whereRef('own.camera_id', '=', 'cameras.id')
          .select(({ fn }) => fn.max('own.id').as('id')),
      ),
    )
    .select([
      'cameras.id',
      'cameras.nome',
      'cameras.ultimo_frame_em',
      'cameras.eventos_habilitados_json',
      'cameras.zonas_json',
      'cameras.linha_json',
      'cameras.imagem_inteira',
      'provas.aprovada',
      'provas.fim',
      'provas.feita_por',
      'provas.desfecho',
    ])
    .where('cameras.empresa_id', '=', empresaId)
    .where('cameras.ativa', '=', 1)
    .orderBy('cameras.id')
    .limit(limit)
    .execute()

export type InstalledCamera = Awaited<ReturnType<typeof camerasWithProva>>[number]
