import { createHash } from 'node:crypto'
import type { ClipCopier } from '../../../../adapters/clip-copier/clip-copier.ts'
import type { Clock } from '../../../../adapters/clock.ts'
import type { DiskSpace } from '../../../../adapters/disk-space.ts'
import { type ClipeRow, copyPath } from '../../../../db/clipes.ts'
import type { Claim } from '../../../../db/work-queue/queue.ts'
import { createWorker, type Worker } from '../../../../db/work-queue/worker.ts'
import type { MediaSpace } from '../../../../scope/media-space.ts'
import { type DiscardDeps, discardFiles } from '../../../eventos/public.ts'
import { announceCopy, endCopy, endNothing, FAST, findStored, SLOW, slowDown } from './store.ts'

export interface CopyDeps extends DiscardDeps {
  readonly clock: Clock
  readonly copier: ClipCopier
  readonly disk: Pick<DiskSpace, 'hasSpace'>
  readonly space: MediaSpace
}

/** Sentence for a server without the package that decodes video. */
export const NO_VIDEO =
  'Falta no servidor o pacote de vídeo (node-av), que faz as cópias em H.264 dos clipes em H.265. Os pedidos ' +
  'esperam por ele, e são atendidos sozinhos quando ele estiver instalado.'

const LONGEST_WAIT_MS = 60_000

/** Most copies are ready in this time. One that is not goes to the slow copies and begins again. */
export const COPY_MS = 20_000
/** One slow copy may take this long. */
export const SLOW_COPY_MS = 300_000
/** Copies at the same time; those of one root Empresa are made one after the other. */
export const COPIES_AT_ONCE = 2
export const SLOW_AT_ONCE = 1
export const COPIES_OF_ROOT = 1

/**
 * Makes the H.264 copies of clips that a browser could not play, in turns of the root Empresas. A copy that takes long
 * holds no slot of the others.
 */
export function createClipCopies(deps: CopyDeps): Worker {
  const { db, clock, log, media } = deps

  /** null: `signal` has aborted. */
  async function makeCopy(video: AsyncIterable<Uint8Array>, clipe: ClipeRow, timeoutMs: number, signal: AbortSignal) {
    const begun = performance.now()
    const copy = await deps.copier.copy(video, timeoutMs, signal).catch((error: unknown) => {
      if (signal.aborted) return null
      throw error
    })
    if (copy !== null)
      log.info({ clipe: clipe.uuid, ms: Math.round(performance.now() - begun), falha: textOf(copy) }, 'clip copied')
    return copy
  }

  async function handle(claim: Claim, timeoutMs: number, signal: AbortSignal): Promise<void> {
    const clipe = await findStored(db, Number(claim.chave))
    const video = clipe && (await needsCopy(deps, clipe)) ? await media.open(clipe.caminho) : null
    if (!clipe || !video) return void (await endNothing(db, claim))
    const copy = await makeCopy(video, clipe, timeoutMs, signal)
    if (copy === null) return
    if (copy === 'demorou' && timeoutMs === COPY_MS) {
      await slowDown(db, claim, clock.now())
      return slow.wake()
    }
    if (typeof copy === 'string') {
      const copia_falha = copy === 'demorou' ? 'falhou' : copy
      return void (await endCopy(db, claim, clipe, { copia_falha }, clock.now()))
    }
    await announceCopy(db, clipe)
    await media.put(copyPath(clipe.caminho), copy)
    const copia_sha256 = createHash('sha256').update(copy).digest('hex')
    if (await endCopy(db, claim, clipe, { copia_tamanho: copy.length, copia_sha256 }, clock.now())) return
    await announceCopy(db, clipe)
    await discardFiles(deps, [copyPath(clipe.caminho)])
  }

  const both = {
    ...deps,
    alone: true,
    longestWaitMs: LONGEST_WAIT_MS,
    perRoot: COPIES_OF_ROOT,
    isReady: deps.copier.isReady,
  }
  const fast = createWorker({
    ...both,
    tipo: FAST,
    atOnce: COPIES_AT_ONCE,
    handle: (claim, signal) => handle(claim, COPY_MS, signal),
  })
  const slow = createWorker({
    ...both,
    tipo: SLOW,
    atOnce: SLOW_AT_ONCE,
    handle: (claim, signal) => handle(claim, SLOW_COPY_MS, signal),
  })
  return {
    start() {
      if (!deps.copier.isReady()) log.warn({}, NO_VIDEO)
      fast.start()
      slow.start()
    },
    async stop() {
      await Promise.all([fast.stop(), slow.stop()])
    },
    wake: () => fast.wake(),
  }
}

const textOf = (copy: Buffer | string): string | null => (typeof copy === 'string' ? copy : null)

const needsCopy = async ({ media }: CopyDeps, { codec, caminho, copia_sha256 }: ClipeRow): Promise<boolean> =>
  codec === 'h265' && (copia_sha256 === null || (await media.size(copyPath(caminho))) === null)
