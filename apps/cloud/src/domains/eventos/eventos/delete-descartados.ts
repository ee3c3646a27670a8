import type { Clock } from '../../../adapters/clock.ts'
import { createRepeated, type Repeated } from '../../../adapters/repeated.ts'
import { deleteDue, type WarnHeld } from '../../../db/hold-back/hold-back.ts'
import type { Database } from '../../../db/open.ts'
import { type Dropped, takeDescartados, takeExcess } from './descartado-store.ts'
import { type DiscardDeps, discardFiles } from './discard-files.ts'

/** Discarded candidates of one transaction. */
const AT_ONCE = 200
/** Largest number of stored ones of a camera. */
const MOST_OF_CAMERA = 5_000
const SWEEP_MS = 3_600_000

/** Deletes some discarded candidates of an Empresa with their pictures. Returns their number; 0: none is left. */
export async function deleteDescartadosOf(deps: DiscardDeps, empresaId: number): Promise<number> {
  const { n, files } = await takeDescartados(deps.db, { empresaId }, AT_ONCE)
  await discardFiles(deps, files)
  return n
}

/**
 * Deletes these discarded candidates with their pictures.
 * @param also adds to the transaction; receives their number
 */
export async function deleteDescartados(
  deps: DiscardDeps,
  ids: readonly number[],
  also: (tx: Database, n: number) => Promise<void>,
): Promise<void> {
  const { files } = await takeDescartados(deps.db, { ids }, ids.length, also)
  await discardFiles(deps, files)
}

interface SweepDeps extends DiscardDeps {
  readonly warn: WarnHeld
}

/** Deletes old discarded candidates, those of removed cameras, and the oldest above the bound. @param now of ages */
export async function sweepDescartados(deps: SweepDeps, now: number): Promise<void> {
  const deleteAll = async (which: Dropped) => {
    for (let n = AT_ONCE; n === AT_ONCE; ) {
      const taken = await takeDescartados(deps.db, which, AT_ONCE)
      n = taken.n
      await discardFiles(deps, taken.files)
    }
  }
  await deleteDue({ ...deps, now }, { tipo: 'descartados' }, (due) => deleteAll({ due }))
  await deleteAll({ removed: true })
  await discardFiles(deps, await takeExcess(deps.db, MOST_OF_CAMERA, AT_ONCE))
}

/** Sweeps once an hour. */
export const createDescartadosSweep = (deps: SweepDeps & { readonly clock: Clock }): Repeated =>
  createRepeated(
    SWEEP_MS,
    () => sweepDescartados(deps, deps.clock.now()),
    (err) => deps.log.warn({ err }, 'discarded candidates not swept; will retry'),
  )
