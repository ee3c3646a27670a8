import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database } from '../../db/open.ts'

/** Fails unless the counts equal those of the eventos in every period and the bounds of the ids are correct. */
export async function expectCountsRight(db: Database): Promise<void> {
  const owners = ['0 as camera_id, 0 as empresa_id', '0 as camera_id, empresa_id', 'camera_id, empresa_id']
  const periods = ['0 as dias, 0', '1 as dias, ocorrido_em / 86400000', '32 as dias, ocorrido_em / 2764800000']
  const levels = owners.flatMap((owner) =>
    periods.map(
      (period) => `select ${owner}, ${period} as periodo, tipo, gravidade,
        coalesce(veredito_decisao || coalesce('-' || veredito_certeza, ''), 'pendente') as situacao,
        revisao_rotulo as r, id from eventos`,
    ),
  )
  const key = 'dias, camera_id, empresa_id, periodo, tipo, gravidade, situacao'
  const recounted = await sql<Record<string, unknown>>`
    select ${sql.raw(key)}, count(*) as n, count(case when r = 'confirmado' then 1 end) as revisados_confirmado,
      count(case when r = 'refutado' then 1 end) as revisados_refutado, min(id) as menor, max(id) as maior
    from (${sql.raw(levels.join(' union all '))}) group by ${sql.raw(key)} order by ${sql.raw(key)}`.execute(db)
  const kept = await sql<Record<string, unknown>>`
    select * from contagens_eventos order by ${sql.raw(key)}`.execute(db)
  const counts = ({ menor: _1, maior: _2, menor_id: _3, maior_id: _4, ...row }: Record<string, unknown>) => row
  expect(kept.rows.map(counts)).toEqual(recounted.rows.map(counts))
  for (const [i, row] of recounted.rows.entries()) {
    expect(Number(kept.rows[i]?.menor_id)).toBeLessThanOrEqual(Number(row.menor))
    expect(Number(kept.rows[i]?.maior_id)).toBeGreaterThanOrEqual(Number(row.maior))
  }
}
