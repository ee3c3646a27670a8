import { setImmediate } from 'node:timers/promises'
import type { TipoRetencao } from '@vigia/contracts/retencao'
import type { Clock } from '../../../adapters/clock.ts'
import type { Due } from '../../../db/due.ts'
import { deleteDue, UNANSWERED_TIMES } from '../../../db/hold-back/hold-back.ts'
import { type DiscardDeps, discardFiles, discardGivenUp } from '../../eventos/public.ts'
import { enqueueAviso } from '../../mensagens/public.ts'
import { takeOldClipes } from './clipe-store.ts'
import { effectiveRules, type Regra, ruleOf } from './effective-rules.ts'
import { listArrived, takeEventosDue, takePictures } from './evento-store.ts'
import { type Take, takeAlertas, takeAuditoria, takeHandOvers, takeLacunas, takeQuedas } from './log-store.ts'
import { takePassagens } from './passagem-store.ts'
import {
  listOldestClipes,
  listOldestPictures,
  listUnmeasured,
  saveMeasured,
  usedByClipes,
  usedByPictures,
} from './size-store.ts'

export interface SweepDeps extends DiscardDeps {
  readonly clock: Clock
}

const DAY_MS = 86_400_000
/** Records of one transaction. */
const AT_ONCE = 200
/** Later pictures of an event arrive within this time. */
const MEASURE_AFTER_MS = 3_600_000

interface Sweep extends SweepDeps {
  readonly empresaId: number
  readonly regras: readonly Regra[]
  readonly now: number
  readonly signal: AbortSignal
}

/**
 * Deletes what is older than the retention of the Empresa or above its size limits. Each batch is one transaction that
 * also lists its files for deletion, so that a sweep may end anywhere (eventos/discard-files.ts).
 */
export async function sweepEmpresa(deps: SweepDeps, empresaId: number, signal: AbortSignal): Promise<void> {
  const regras = await effectiveRules(deps.db, empresaId)
  const sweep = { ...deps, empresaId, regras, now: deps.clock.now(), signal }
  await sweepKind(sweep, 'eventos', (due) => sweepEventos(sweep, due))
  await sweepKind(sweep, 'clipes', (due) => sweepOldClipes(sweep, due))
  await sweepKind(sweep, 'imagens', (due) => sweepPictures(sweep, due))
  await sweepKind(sweep, 'alertas', (due) => sweepAlertas(sweep, due))
  await measure(sweep)
  await shrinkPictures(sweep)
  await shrinkClipes(sweep)
  await sweepRecords(sweep)
}

/** Deletes what is due of a kind, unless it waits (hold-back.ts). */
const sweepKind = (sweep: Sweep, tipo: TipoRetencao, run: (due: Due) => Promise<void>): Promise<void> =>
  deleteDue(
    { ...sweep, warn: enqueueAviso },
    { empresaId: sweep.empresaId, tipo, dias: ruleOf(sweep.regras, tipo).dias },
    run,
  )

type Rules = Pick<Sweep, 'now' | 'regras'>

/** Data that arrived before this time is older than its retention; epoch ms. */
export const ageBound = ({ now, regras }: Rules, tipo: TipoRetencao): number => now - ruleOf(regras, tipo).dias * DAY_MS

/** The same for unanswered incidentes. */
export const unansweredBound = (rules: Rules): number =>
  rules.now - UNANSWERED_TIMES * (rules.now - ageBound(rules, 'eventos'))

/** Calls `take` with the events that are due, in batches. */
async function walkArrived(
  { db, empresaId, signal }: Sweep,
  due: Due,
  take: (rows: Awaited<ReturnType<typeof listArrived>>['rows']) => Promise<unknown>,
): Promise<void> {
  for (let after = 0; !signal.aborted; ) {
    const { rows, last } = await listArrived(db, { empresaId, due, after, limit: AT_ONCE })
    if (last === undefined) return
    if (rows.length > 0) await take(rows)
    after = last
    await setImmediate()
  }
}

async function sweepEventos(sweep: Sweep, due: Due): Promise<void> {
  const { db, empresaId, now } = sweep
  const { before, doubtful } = due
  const bounds = { empresaId, before, unansweredBefore: unansweredBound(sweep), doubtful, now }
  await walkArrived(sweep, due, async (rows) => {
    const incidentes = [...new Set(rows.flatMap(({ incidente_id }) => incidente_id ?? []))].sort((a, b) => a - b)
    const soltos = rows.flatMap(({ id, incidente_id }) => (incidente_id === null ? id : []))
    await discardFiles(sweep, await takeEventosDue(db, bounds, { incidentes, soltos }))
  })
  await takeAll(sweep, due, takeHandOvers)
}

async function sweepPictures(sweep: Sweep, due: Due): Promise<void> {
  const { db, empresaId, now } = sweep
  await walkArrived(sweep, due, async (rows) => {
    const ids = rows.flatMap(({ id, crop_path, quadro_path }) => ((crop_path ?? quadro_path) === null ? [] : id))
    if (ids.length > 0) await discardFiles(sweep, await takePictures(db, { empresaId, ids, now }))
  })
}

async function sweepAlertas(sweep: Sweep, due: Due): Promise<void> {
  const { db, empresaId, now } = sweep
  await walkArrived(sweep, due, (rows) => takeAlertas(db, { empresaId, due, now, ids: rows.map(({ id }) => id) }))
}

async function sweepOldClipes(sweep: Sweep, due: Due): Promise<void> {
  const { db, empresaId, now, signal } = sweep
  while (!signal.aborted) {
    const old = await listOldestClipes(db, { empresaId, now, due, limit: AT_ONCE })
    if (old.length === 0) return
    await discardFiles(sweep, await takeOldClipes(db, { empresaId, ids: old.map(({ id }) => id), now }))
    await setImmediate()
  }
}

async function measure({ db, media, empresaId, now, signal }: Sweep): Promise<void> {
  while (!signal.aborted) {
    const rows = await listUnmeasured(db, empresaId, now - MEASURE_AFTER_MS, AT_ONCE)
    if (rows.length === 0) return
    for (const { id, paths } of rows) {
      const sizes = await Promise.all(paths.map((path) => media.size(path)))
      await saveMeasured(
        db,
        id,
        sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0),
      )
    }
    await setImmediate()
  }
}

async function shrinkPictures(sweep: Sweep): Promise<void> {
  const { db, empresaId, now, regras } = sweep
  const limit = ruleOf(regras, 'imagens').bytes
  if (limit === null) return
  const { all } = await usedByPictures(db, empresaId, now, now)
  await shrink(sweep, all - limit, {
    list: () => listOldestPictures(db, empresaId, now, AT_ONCE),
    take: (ids) => takePictures(db, { empresaId, ids, now }),
  })
}

async function shrinkClipes(sweep: Sweep): Promise<void> {
  const { db, empresaId, now, regras } = sweep
  const limit = ruleOf(regras, 'clipes').bytes
  if (limit === null) return
  const { all } = await usedByClipes(db, empresaId, now, now)
  await shrink(sweep, all - limit, {
    list: () => listOldestClipes(db, { empresaId, now, due: null, limit: AT_ONCE }),
    take: (ids) => takeOldClipes(db, { empresaId, ids, now }),
  })
}

interface Shrinkable {
  readonly list: () => Promise<readonly { readonly id: number; readonly bytes: number }[]>
  readonly take: (ids: readonly number[]) => Promise<string[]>
}

/** Deletes the oldest ones until `excess` bytes are gone. Preserved ones are not listed, so that it may end above. */
async function shrink(sweep: Sweep, excess: number, { list, take }: Shrinkable): Promise<void> {
  for (let left = excess; left > 0 && !sweep.signal.aborted; ) {
    const ids: number[] = []
    for (const { id, bytes } of await list()) {
      if (left <= 0) break
      ids.push(id)
      left -= Number(bytes)
    }
    if (ids.length === 0) return
    await discardFiles(sweep, await take(ids))
    await setImmediate()
  }
}

async function takeAll({ db, empresaId, now, signal }: Sweep, due: Due, take: Take): Promise<void> {
  while (!signal.aborted && (await take(db, { empresaId, due, now, limit: AT_ONCE })) > 0) await setImmediate()
}

async function sweepRecords(sweep: Sweep): Promise<void> {
  const takes = { auditoria: takeAuditoria, quedas: takeQuedas, lacunas: takeLacunas, passagens: takePassagens }
  for (const tipo of ['auditoria', 'quedas', 'lacunas', 'passagens'] as const) {
    await sweepKind(sweep, tipo, (due) => takeAll(sweep, due, takes[tipo]))
  }
  // The pictures of passages.
  await discardGivenUp(sweep)
}
