import { MAX_PASSAGENS_EXPORTACAO } from '@vigia/contracts/exportacao'
import type { Database } from '../../../db/open.ts'
import type { Periodo } from '../../../http/past-period.ts'

const inPeriod = (db: Database, { empresaId, cameras, inicio, fim }: Periodo) =>
  db
    .selectFrom('passagens')
    .where('empresa_id', '=', empresaId)
    .where('ocorrido_em', '>=', inicio)
    .where('ocorrido_em', '<', fim)
    .$if(cameras !== null, (qb) => qb.where('camera_id', 'in', cameras ?? []))

/**
 * The first passages of a period that one archive holds. `cut`: the time of the next one; null: it holds all of them.
 */
export async function exportedPassages(db: Database, periodo: Periodo) {
  const rows = await inPeriod(db, periodo)
    .select(['id', 'ocorrido_em'])
    .orderBy('ocorrido_em')
    .orderBy('id')
    .limit(MAX_PASSAGENS_EXPORTACAO + 1)
    .execute()
  const ids = rows.slice(0, MAX_PASSAGENS_EXPORTACAO).map(({ id }) => id)
  const cut = rows[MAX_PASSAGENS_EXPORTACAO]?.ocorrido_em ?? null
  if (cut === null) return { ids, cut, total: ids.length }
  const { n } = await inPeriod(db, periodo)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return { ids, cut, total: Number(n) }
}
