import { prazosFixos, type TipoFixo, type TipoRetencao } from '@vigia/contracts/retencao'
import type { Logger } from '../../http/request-log.ts'
import { type Due, dueBefore, listDoubtfulStamps } from '../due.ts'
import { listRootIds } from '../empresas.ts'
import type { Database } from '../open.ts'
import { transact } from '../transaction.ts'
import {
  agreedSince,
  type Counts,
  clearHeld,
  countKind,
  countOld,
  insertHeld,
  listHeldOf,
  type Sweep,
  saveSwept,
  sweptDays,
} from './hold-store.ts'

/** Data that an age ends. */
export type Aged =
  /** Records of an Empresa, after the days of its rule in force. */
  | { readonly empresaId: number; readonly tipo: TipoRetencao; readonly dias: number }
  /** Records of all Empresas. */
  | { readonly tipo: Exclude<TipoFixo, 'arquivos'> }
  | { readonly tipo: 'arquivos'; readonly counts: Counts }

export interface HoldDeps {
  readonly db: Database
  readonly log: Logger
  /** Time of ages. */
  readonly now: number
  /** Queues the message about a deletion that waits, in its transaction. */
  readonly warn: WarnHeld
}

/** @param aviso `desde`: epoch ms @param now epoch ms */
export type WarnHeld = (
  tx: Database,
  aviso: {
    readonly tipo: 'apagamento.retido'
    readonly empresaId: number
    readonly titulo: string
    readonly texto: string
    readonly desde: number
  },
  now: number,
) => Promise<void>

/** A sweep of at most this many records is a usual one, whatever its share. */
const USUAL_ROWS = 100
const DAY_MS = 86_400_000
/** Events of an unanswered incidente are kept this many times as long. */
export const UNANSWERED_TIMES = 2

const TITLE = 'Apagamento por prazo retido'
const TEXT =
  'A varredura apagaria mais da metade dos registros de um tipo, e nenhum prazo foi encurtado. O relógio do servidor ' +
  'pode estar errado. Ela espera até que as caixas confirmem a hora por 24 horas, ou o operador.'

/**
 * Deletes the data that an age ends. Every deletion by age passes here, because only this function makes a `Due`. It
 * waits if it would delete more than half of the records without a shorter rule. It goes on once most boxes have agreed
 * with the clock for a day, or a person confirms. A kind of the installation waits in each root Empresa.
 */
export async function deleteDue(deps: HoldDeps, aged: Aged, run: (due: Due) => Promise<void>): Promise<void> {
  const { db, now } = deps
  const due = dueBefore(now - daysOf(aged) * DAY_MS, await listDoubtfulStamps(db))
  if (!(await mayDelete(deps, aged, due))) return
  await run(due)
  // Last, so that the confirmation also holds for another replica, and for the rest after a failure.
  const empresas = await empresasOf(deps, aged)
  await clearHeld(db, empresas, aged.tipo)
  for (const empresaId of empresas) await saveSwept(db, empresaId, aged.tipo, daysOf(aged))
}

/** A kind of the installation counts in each root Empresa. */
const empresasOf = async ({ db }: HoldDeps, aged: Aged): Promise<readonly number[]> =>
  'empresaId' in aged ? [aged.empresaId] : listRootIds(db)

const isUsual = ({ all, due }: Counts): boolean => due <= USUAL_ROWS || due * 2 <= all

const sweepOf = (now: number, aged: Aged, due: Due): Sweep => ({
  due,
  now,
  unansweredBefore: now - UNANSWERED_TIMES * daysOf(aged) * DAY_MS,
})

const daysOf = (aged: Aged): number => ('dias' in aged ? aged.dias : prazosFixos[aged.tipo])

async function mayDelete(deps: HoldDeps, aged: Aged, due: Due): Promise<boolean> {
  const { db, now } = deps
  const { tipo } = aged
  if (isUsual('counts' in aged ? aged.counts : await countOld(db, aged, due))) return true
  const count = async () => ('counts' in aged ? aged.counts : countKind(db, aged, sweepOf(now, aged, due)))
  const counts = await count()
  if (isUsual(counts)) return true
  const empresas = await empresasOf(deps, aged)
  const last = await sweptDays(db, empresas, tipo)
  if (last !== null && daysOf(aged) < last) return true
  return isConfirmed(deps, { tipo, empresas, counts, count })
}

interface Waiting {
  readonly tipo: Aged['tipo']
  readonly empresas: readonly number[]
  readonly counts: Counts
  /** Counts again. */
  count(): Promise<Counts>
}

async function isConfirmed(
  { db, log, now, warn }: HoldDeps,
  { tipo, empresas, counts, count }: Waiting,
): Promise<boolean> {
  const held = await listHeldOf(db, empresas, tipo)
  if (held.some(({ confirmado }) => confirmado === 1)) return true
  const since = await agreedSince(db)
  const desde = Math.min(...held.map((each) => each.desde))
  if (held.length > 0 && since !== null && now - Math.max(since, desde) >= DAY_MS) return true
  // Another replica may have deleted them meanwhile, and ended the wait.
  if (held.length === 0 && isUsual(await count())) return true
  const waiting = new Set(held.map(({ empresa_id }) => empresa_id))
  for (const empresaId of empresas.filter((id) => !waiting.has(id)))
    await transact(db, async (tx) => {
      const row = { empresa_id: empresaId, tipo, desde: now, quantos: counts.due, total: counts.all }
      if (!(await insertHeld(tx, row))) return
      const aviso = { tipo: 'apagamento.retido', empresaId, titulo: TITLE, texto: TEXT, desde: now } as const
      await warn(tx, aviso, now)
    })
  if (held.length === 0) log.error({ empresas, tipo, ...counts }, 'deletion by age waits for a confirmation')
  return false
}
