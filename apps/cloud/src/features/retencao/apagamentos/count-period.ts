import type { ContagemApagamento } from '@vigia/contracts/apagamentos'
import type { Database } from '../../../db/open.ts'
import type { Periodo } from '../../../http/past-period.ts'
import { countEventos, countHeld, descartadosIn, gravacoesIn } from './period-store.ts'

const HELD_SHOWN = 50

/** Numbers of what a deletion of the period deletes now, and of what it keeps. */
export async function countPeriod(db: Database, periodo: Periodo, now: number): Promise<ContagemApagamento> {
  const held = await countHeld(db, periodo, now, HELD_SHOWN)
  const { de, ate, ...eventos } = await countEventos(db, periodo, now)
  const gravacoes = await gravacoesIn(db, periodo)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  const descartados = await descartadosIn(db, periodo)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return {
    ...eventos,
    de: instantOrNull(de),
    ate: instantOrNull(ate),
    gravacoes: Number(gravacoes.n),
    descartados: Number(descartados.n),
    preservados: held.eventos,
    preservados_ids: held.ids,
  }
}

const instantOrNull = (epochMs: number | null) => (epochMs === null ? null : new Date(Number(epochMs)).toISOString())
