import { expect } from 'vitest'
import { isBetterCover, joinTipos, maxGravidade } from '../../db/incidentes.ts'
import type { Database } from '../../db/open.ts'

/** Compares every incidente with its events. Those of all events must be known. */
export async function expectIncidentesRight(db: Database): Promise<void> {
  const events = await db.selectFrom('eventos').selectAll().orderBy('ocorrido_em').orderBy('id').execute()
  expect(events.filter(({ incidente_id }) => incidente_id === null)).toEqual([])
  const found = await db.selectFrom('incidentes').selectAll().orderBy('id').execute()
  const expected = found.map((incidente) => {
    const own = events.filter(({ incidente_id }) => incidente_id === incidente.id)
    const valid = own.filter(({ veredito_decisao }) => veredito_decisao !== 'refutado')
    const confirmed = own.filter(({ veredito_decisao }) => veredito_decisao === 'confirmado')
    const certezas = confirmed.map(({ veredito_certeza }) => veredito_certeza)
    const [first] = valid
    return {
      ...incidente,
      eventos: own.length,
      pendentes: valid.length - confirmed.length,
      confirmados: confirmed.length,
      refutados: own.length - valid.length,
      revisados: own.filter(({ revisao_rotulo }) => revisao_rotulo !== null).length,
      situacao: confirmed.length > 0 ? 'confirmado' : first ? 'pendente' : 'refutado',
      ...(first && {
        inicio: first.ocorrido_em,
        fim: valid.at(-1)?.ocorrido_em,
        gravidade: valid.map(({ gravidade }) => gravidade).reduce(maxGravidade),
        tipos: joinTipos(valid.map(({ tipo }) => tipo)),
        capa_evento_id: valid.reduce((best, each) => (isBetterCover(each, best) ? each : best)).id,
        certeza: certezas.find((one) => one === 'alta') ?? (certezas.includes(null) ? null : (certezas[0] ?? null)),
      }),
    }
  })
  expect(found).toEqual(expected)
}
