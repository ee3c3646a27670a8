import type { ContagemApagamento } from '@vigia/contracts/apagamentos'
import type { HeavyReader, HeavyReads } from '../../../../db/heavy-reads/heavy-reads.ts'
import type { Database } from '../../../../db/open.ts'
import { countLeft, heldLeft } from './left-store.ts'
import { type Alvo, countEventos, countHeld, countPassagensIn, descartadosIn, gravacoesIn } from './period-store.ts'

const HELD_SHOWN = 50

/** Numbers of what a deletion deletes now, and of what it keeps. */
export const countPeriod = (
  { reads }: { readonly reads: HeavyReads },
  caller: HeavyReader,
  alvo: Alvo,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<ContagemApagamento> => reads.run(caller, signal, (db) => count(db, alvo, now))

async function count(db: Database, alvo: Alvo, now: number): Promise<ContagemApagamento> {
  const held = await countHeld(db, alvo, now, HELD_SHOWN)
  const { de, ate, ...eventos } = await countEventos(db, alvo, now)
  const gravacoes = await gravacoesIn(db, alvo)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  const descartados = await descartadosIn(db, alvo)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  const passagens = await countPassagensIn(db, alvo, now, false)
  const preservadas = await countPassagensIn(db, alvo, now, true)
  return {
    ...eventos,
    de: instantOrNull(de),
    ate: instantOrNull(ate),
    // No plate is read from these.
    gravacoes: alvo.placa === null ? Number(gravacoes.n) : 0,
    descartados: alvo.placa === null ? Number(descartados.n) : 0,
    passagens,
    preservados: held.eventos,
    preservados_ids: held.ids,
    passagens_preservadas: preservadas,
    ficam: [...heldLeft(held.eventos, preservadas), ...(await countLeft(db, alvo))],
  }
}

const instantOrNull = (epochMs: number | null) => (epochMs === null ? null : new Date(Number(epochMs)).toISOString())
