import { setTimeout } from 'node:timers/promises'
import { prazosFixos } from '@vigia/contracts/retencao'
import type { Clock } from '../../../../adapters/clock.ts'
import { isStampDue } from '../../../../db/due.ts'
import { deleteDue } from '../../../../db/hold-back/hold-back.ts'
import { listForDeletion } from '../../../../db/midias-a-apagar.ts'
import { mediaFolders } from '../../../../db/named-files.ts'
import { transact } from '../../../../db/transaction.ts'
import { type DiscardDeps, discardFiles } from '../../../eventos/public.ts'
import { enqueueAviso } from '../../../mensagens/public.ts'
import { namedAmong, namedFiles, uuidOf } from './named-store.ts'

export interface ReconcileDeps extends DiscardDeps {
  /** Time of ages. */
  readonly clock: Clock
}

export interface ReconcileOptions {
  readonly signal: AbortSignal
  /** Pause after each batch, as a multiple of its duration. */
  readonly pause: number
  /** Deletes also if so many files lack a record that the database may be the wrong one. */
  readonly always: boolean
  /** Called with the number of files that were compared. */
  readonly onFiles?: (count: number) => void
}

export interface Reconciled {
  readonly files: number
  /** Files older than 24 h that no record names. */
  readonly orphans: number
  readonly deleted: number
  /** Files that records name and that do not exist. */
  readonly missing: number
}

const AT_ONCE = 200
/** A younger file may belong to a record that is about to be written. */
const AGE_MS = prazosFixos.arquivos * 24 * 3_600_000
/** More orphans than this, and more than a tenth of all files: an older or another database is likely. */
const MANY = 100
const MANY_SHARE = 0.1

/** Finds files without a record and records without a file. Deletes those files, and reports the records. */
export async function reconcileMedia(deps: ReconcileDeps, options: ReconcileOptions): Promise<Reconciled> {
  const { files, orphans } = await findOrphans(deps, options)
  const isSuspicious = orphans.length > MANY && orphans.length > files * MANY_SHARE
  const counts = { all: files, due: orphans.length }
  let deleted = 0
  if (options.always) deleted = await deleteOrphans(deps, orphans, options, isOld(deps))
  else
    await deleteDue(
      { ...deps, now: deps.clock.now(), warn: enqueueAviso },
      { tipo: 'arquivos', counts },
      async (due) => {
        if (isSuspicious) return
        deleted = await deleteOrphans(deps, orphans, options, (writtenAt) => isStampDue(writtenAt, due))
      },
    )
  return { files, orphans: orphans.length, deleted, missing: await countMissing(deps, options) }
}

type IsOld = (writtenAt: number) => boolean

function isOld({ clock }: ReconcileDeps): IsOld {
  const before = clock.now() - AGE_MS
  return (writtenAt) => writtenAt < before
}

async function findOrphans(deps: ReconcileDeps, options: ReconcileOptions) {
  const orphans: string[] = []
  let files = 0
  let batch: string[] = []
  const check = async () => {
    files += batch.length
    options.onFiles?.(batch.length)
    orphans.push(...(await oldOrphans(deps, batch, isOld(deps))))
    batch = []
  }
  for (const folder of mediaFolders)
    for await (const path of deps.media.list(folder)) {
      if (options.signal.aborted) return { files, orphans }
      if (uuidOf(path) !== null) batch.push(path)
      if (batch.length === AT_ONCE) await thenPause(options, check)
    }
  await check()
  return { files, orphans }
}

async function oldOrphans({ db, media }: ReconcileDeps, paths: readonly string[], isOld: IsOld): Promise<string[]> {
  const named = await namedAmong(db, paths)
  const old: string[] = []
  for (const path of paths) {
    if (named.has(path)) continue
    const at = await media.writtenAt(path)
    if (at !== null && isOld(at)) old.push(path)
  }
  return old
}

/** A file is checked again, because it may have got a record. Returns the number of deleted files. */
async function deleteOrphans(
  deps: ReconcileDeps,
  orphans: readonly string[],
  options: ReconcileOptions,
  isOld: IsOld,
): Promise<number> {
  let deleted = 0
  for (let i = 0; i < orphans.length && !options.signal.aborted; i += AT_ONCE)
    await thenPause(options, async () => {
      const left = await oldOrphans(deps, orphans.slice(i, i + AT_ONCE), isOld)
      await transact(deps.db, (tx) => listForDeletion(tx, left))
      await discardFiles(deps, left)
      deleted += left.length
    })
  return deleted
}

async function countMissing(deps: ReconcileDeps, options: ReconcileOptions): Promise<number> {
  const { db, media, log } = deps
  let missing = 0
  for (const next of namedFiles)
    for (let after = 0; !options.signal.aborted; ) {
      const batch = await next(db, after, AT_ONCE)
      if (!batch) break
      after = batch.last
      await thenPause(options, async () => {
        const gone: string[] = []
        for (const path of batch.paths) if ((await media.size(path)) === null) gone.push(path)
        // A deletion may have removed the record meanwhile.
        const named = await namedAmong(db, gone)
        const left = gone.filter((path) => named.has(path))
        for (const caminho of left) log.warn({ caminho }, 'record without its file')
        missing += left.length
      })
    }
  return missing
}

async function thenPause({ pause, signal }: ReconcileOptions, work: () => Promise<void>): Promise<void> {
  const start = performance.now()
  await work()
  await setTimeout(pause * (performance.now() - start), undefined, { signal }).catch(() => {})
}
