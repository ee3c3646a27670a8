import { motivosGravador } from '@vigia/contracts/extras'
import { isConfirmed } from '../../../../db/clipes.ts'
import type { Database } from '../../../../db/open.ts'

/** The events of one page: a part of 15 minutes seldom has more. */
const LISTED = 500

export const findCamera = (tx: Database, id: number) =>
  tx.selectFrom('cameras').selectAll().where('id', '=', id).executeTakeFirst()

/**
 * Times (epoch ms) of the confirmed events of a camera since `from` whose clip the edge could not make, newest first.
 * A time inside any requested part counts as tried.
 */
export async function listIncomplete(
  tx: Database,
  { id, empresa_id }: { readonly id: number; readonly empresa_id: number },
  from: number,
): Promise<number[]> {
  const rows = await tx
    .selectFrom('eventos')
    .innerJoin('clipes_eventos', 'clipes_eventos.evento_id', 'eventos.id')
    .select('ocorrido_em')
    .where('eventos.camera_id', '=', id)
    .where('eventos.empresa_id', '=', empresa_id)
    .where('ocorrido_em', '>=', from)
    .where(isConfirmed)
    .where('clipes_eventos.clipe_id', 'is', null)
    .where('clipes_eventos.motivo', 'in', motivosGravador)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('gravacoes')
            .select('gravacoes.id')
            .whereRef('gravacoes.camera_id', '=', 'eventos.camera_id')
            .whereRef('inicio', '<=', 'ocorrido_em')
            .whereRef('fim', '>=', 'ocorrido_em'),
        ),
      ),
    )
    .orderBy('ocorrido_em', 'desc')
    .limit(LISTED)
    .execute()
  return rows.map(({ ocorrido_em }) => ocorrido_em)
}
