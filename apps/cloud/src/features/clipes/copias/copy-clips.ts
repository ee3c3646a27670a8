import { createHash } from 'node:crypto'
import type { ClipCopier } from '../../../adapters/clip-copier/clip-copier.ts'
import type { Clock } from '../../../adapters/clock.ts'
import type { DiskSpace } from '../../../adapters/disk-space.ts'
import { type ClipeRow, copyPath } from '../../../db/clipes.ts'
import type { Claim } from '../../../db/work-queue/queue.ts'
import { createWorker, type Worker } from '../../../db/work-queue/worker.ts'
import type { MediaSpace } from '../../../scope/media-space.ts'
import { type DiscardDeps, discardFiles } from '../../eventos/discard-files.ts'
import { announceCopy, endCopy, endNothing, findStored } from './store.ts'

export interface CopyDeps extends DiscardDeps {
  readonly clock: Clock
  readonly copier: ClipCopier
  readonly disk: Pick<DiskSpace, 'hasSpace'>
  readonly space: MediaSpace
}

const LONGEST_WAIT_MS = 60_000

/** Copies at the same time; those of one root Empresa are made one after the other. */
export const COPIES_AT_ONCE = 2
export const COPIES_OF_ROOT = 1

/** Makes the H.264 copies of clips that a browser could not play, in turns of the root Empresas. */
export function createClipCopies(deps: CopyDeps): Worker {
  const { db, clock, log, media } = deps

  async function handle(claim: Claim, signal: AbortSignal): Promise<void> {
    const clipe = await findStored(db, Number(claim.chave))
    const video = clipe && (await needsCopy(deps, clipe)) ? await media.open(clipe.caminho) : null
    if (!clipe || !video) return void (await endNothing(db, claim))
    const begun = performance.now()
    const copy = await deps.copier.copy(video, signal).catch((error: unknown) => {
      if (signal.aborted) return null
      throw error
    })
    if (copy === null) return
    log.info({ clipe: clipe.uuid, ms: Math.round(performance.now() - begun), falha: textOf(copy) }, 'clip copied')
    if (typeof copy === 'string') return void (await endCopy(db, claim, clipe, { copia_falha: copy }, clock.now()))
    await announceCopy(db, clipe)
    await media.put(copyPath(clipe.caminho), copy)
    const copia_sha256 = createHash('sha256').update(copy).digest('hex')
    if (await endCopy(db, claim, clipe, { copia_tamanho: copy.length, copia_sha256 }, clock.now())) return
    await announceCopy(db, clipe)
    await discardFiles(deps, [copyPath(clipe.caminho)])
  }

  return createWorker({
    ...{ ...deps, tipo: 'copia', alone: true, longestWaitMs: LONGEST_WAIT_MS, handle },
    ...{ atOnce: COPIES_AT_ONCE, perRoot: COPIES_OF_ROOT },
  })
}

const textOf = (copy: Buffer | string): string | null => (typeof copy === 'string' ? copy : null)

const needsCopy = async ({ media }: CopyDeps, { codec, caminho, copia_sha256 }: ClipeRow): Promise<boolean> =>
  codec === 'h265' && (copia_sha256 === null || (await media.size(copyPath(caminho))) === null)
