import type { AgeState, BoxClocks } from '../../../../adapters/age-step.ts'
import { lockRow } from '../../../../db/locks.ts'
import type { Database } from '../../../../db/open.ts'

const ID = 1
/** Records are stamped before the first step and between two steps. */
const MARGIN_MS = 3_600_000
const DAY_MS = 86_400_000

/** Locks the time of ages for the rest of the transaction and reads it; null: it has not begun. */
export async function lockAges(tx: Database): Promise<AgeState | null> {
  await lockRow(tx, 'relogio', ID)
  return readAges(tx)
}

/** null: it has not begun. */
export async function readAges(db: Database): Promise<AgeState | null> {
  const row = await db.selectFrom('relogio').selectAll().where('id', '=', ID).executeTakeFirstOrThrow()
  if (row.hora === null) return null
  return {
    time: row.hora,
    saltoDesde: row.salto_desde ?? row.hora,
    saltoMs: row.salto_ms,
    duvidaDesde: row.duvida_desde,
    desvioMs: row.desvio_ms,
    acordoDesde: row.acordo_desde,
  }
}

export async function saveAges(tx: Database, state: AgeState): Promise<void> {
  await tx
    .updateTable('relogio')
    .set({
      hora: Math.round(state.time),
      salto_desde: Math.round(state.saltoDesde),
      salto_ms: Math.round(state.saltoMs),
      duvida_desde: state.duvidaDesde === null ? null : Math.round(state.duvidaDesde),
      desvio_ms: state.desvioMs === null ? null : Math.round(state.desvioMs),
      acordo_desde: state.acordoDesde === null ? null : Math.round(state.acordoDesde),
    })
    .where('id', '=', ID)
    .execute()
}

/**
 * Newest time that an earlier release stamped; null: none. A wall clock far from it is in doubt, although the same
 * clock may have stamped it.
 */
export async function newestStamp(tx: Database): Promise<number | null> {
  const evento = await tx.selectFrom('eventos').select('recebido_em').orderBy('id', 'desc').limit(1).executeTakeFirst()
  const registro = await tx.selectFrom('auditoria').select('em').orderBy('id', 'desc').limit(1).executeTakeFirst()
  const times = [evento?.recebido_em, registro?.em].flatMap((time) => time ?? [])
  return times.length === 0 ? null : Math.max(...times)
}

/** Boxes on other machines that reported since a time of ages. */
export async function readBoxClocks(tx: Database, since: number, mostMs: number): Promise<BoxClocks> {
  const rows = await tx
    .selectFrom('edges')
    .select('desvio_central_ms')
    .where('local', '=', 0)
    .where('desvio_em', '>=', since)
    .execute()
  return {
    linked: rows.length,
    agreeing: rows.filter(({ desvio_central_ms: ms }) => ms !== null && Math.abs(ms) <= mostMs).length,
  }
}

/**
 * Notes that a clock set back stamps records around `wall`. A clock that is right there stamped rightly, and its note
 * ends. The caller has locked the time of ages.
 * @param takenOverMs how far the time of ages has jumped to the wall clock: the stamps are as young as the jump
 */
export async function judgeStamps(tx: Database, wall: number, after: AgeState, takenOverMs: number): Promise<void> {
  const { time, duvidaDesde } = after
  const isDoubtful = duvidaDesde !== null
  if (isDoubtful && wall >= time) return
  const margin = isDoubtful ? MARGIN_MS : 0
  const around = { de: Math.floor(wall) - margin, ate: Math.ceil(wall) + margin }
  const known = await tx
    .deleteFrom('carimbos_duvidosos')
    .where('de', '<=', around.ate)
    .where('ate', '>=', around.de)
    .returning(['de', 'ate'])
    .execute()
  const hora = Math.ceil(time)
  if (isDoubtful) {
    const all = [around, ...known]
    const row = { de: Math.min(...all.map(({ de }) => de)), ate: Math.max(...all.map(({ ate }) => ate)) }
    await tx
      .insertInto('carimbos_duvidosos')
      .values({ ...row, hora })
      .execute()
  } else if (takenOverMs > DAY_MS) await tx.updateTable('carimbos_duvidosos').set({ hora }).execute()
}

/** Deletions by age that wait for a confirmation. */
export const listHeld = (db: Database) =>
  db
    .selectFrom('apagamentos_retidos')
    .innerJoin('empresas', 'empresas.id', 'apagamentos_retidos.empresa_id')
    .select(['empresa_id', 'empresas.nome', 'tipo', 'desde', 'quantos', 'total'])
    .where('confirmado', '=', 0)
    .orderBy('empresa_id')
    .execute()

export const confirmHeld = async (tx: Database): Promise<void> => {
  await tx.updateTable('apagamentos_retidos').set({ confirmado: 1 }).where('confirmado', '=', 0).execute()
}
