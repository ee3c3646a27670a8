import type { TipoRetencao } from '@vigia/contracts/retencao'
import type { Database } from '../../db/open.ts'
import { transact } from '../../db/transaction.ts'
import type { Logger } from '../../http/request-log.ts'
import { enqueueAviso } from '../notificacoes/enqueue-aviso.ts'
import { agreedSince, clearHeld, countKind, findHeld, insertHeld, saveSwept, sweptDays } from './hold-store.ts'

interface Asked {
  readonly tipo: TipoRetencao
  /** Days of the rule in force. */
  readonly dias: number
  /** Records that arrived before this time are deleted. */
  readonly before: number
}

interface HoldDeps {
  readonly db: Database
  readonly log: Logger
  readonly empresaId: number
  /** Time of ages. */
  readonly now: number
}

/** A sweep of at most this many records is a usual one, whatever its share. */
const USUAL_ROWS = 100
const DAY_MS = 86_400_000

const TITLE = 'Apagamento por prazo retido'
const TEXT =
  'A varredura apagaria mais da metade dos registros de um tipo, e nenhum prazo foi encurtado. O relógio do servidor ' +
  'pode estar errado. Ela espera até que as caixas confirmem a hora por 24 horas, ou o operador.'

/**
 * Whether the sweep may delete what is due of a kind. It waits if it would delete more than half of the records
 * without a shorter rule. It goes on once most boxes have agreed with the clock for a day, or a person confirms.
 */
export async function mayDelete(deps: HoldDeps, { tipo, dias, before }: Asked): Promise<boolean> {
  const { db, empresaId } = deps
  const { all, due } = await countKind(db, tipo, empresaId, before)
  const last = await sweptDays(db, empresaId, tipo)
  const isUsual = due <= USUAL_ROWS || due * 2 <= all
  const isShortened = last !== undefined && dias < last
  if (!isUsual && !isShortened && !(await isConfirmed(deps, tipo, { all, due }))) return false
  await clearHeld(db, empresaId, tipo)
  await saveSwept(db, empresaId, tipo, dias)
  return true
}

async function isConfirmed(
  { db, log, empresaId, now }: HoldDeps,
  tipo: TipoRetencao,
  { all, due }: { readonly all: number; readonly due: number },
): Promise<boolean> {
  const held = await findHeld(db, empresaId, tipo)
  if (held) {
    const since = await agreedSince(db)
    return held.confirmado === 1 || (since !== null && now - Math.max(since, held.desde) >= DAY_MS)
  }
  await transact(db, async (tx) => {
    const row = { empresa_id: empresaId, tipo, desde: now, quantos: due, total: all }
    if (!(await insertHeld(tx, row))) return
    const aviso = { tipo: 'apagamento.retido', empresaId, titulo: TITLE, texto: TEXT, desde: now } as const
    await enqueueAviso(tx, aviso, now)
  })
  log.error({ empresa_id: empresaId, tipo, quantos: due, total: all }, 'deletion by age waits for a confirmation')
  return false
}
