import type { Clock } from '../../../adapters/clock.ts'
import type { PartialUploads } from '../../../adapters/partial-uploads.ts'
import { createRepeated, type Repeated } from '../../../adapters/repeated.ts'
import type { Database } from '../../../db/open.ts'
import type { Logger } from '../../../http/request-log.ts'
import { listAwaited } from './store.ts'

interface SweepDeps {
  readonly db: Database
  readonly clock: Clock
  readonly partial: PartialUploads
  readonly log: Logger
}

/** An upload without new bytes for this time begins again from its first byte. */
const KEEP_MS = 24 * 3_600_000
const SWEEP_MS = 3_600_000

/** Removes partial uploads without new bytes for 24 h, and those of clips that were stored or deleted. */
export async function sweepUploads({ db, clock, partial }: SweepDeps): Promise<void> {
  const found = await partial.list()
  const awaited = await listAwaited(
    db,
    found.map(({ id }) => id),
  )
  const oldest = clock.now() - KEEP_MS
  for (const { id, writtenAt } of found) if (!awaited.has(id) || writtenAt < oldest) await partial.remove(id)
}

/** Sweeps at the start and once an hour. */
export const createUploadSweep = (deps: SweepDeps): Repeated =>
  createRepeated(
    SWEEP_MS,
    () => sweepUploads(deps),
    (err) => deps.log.warn({ err }, 'partial uploads not swept; will retry'),
  )
