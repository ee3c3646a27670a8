import { setTimeout as delay } from 'node:timers/promises'
import { VigiaError } from '@vigia/contracts/errors'
import { failureText } from '@vigia/contracts/pedido-failures'
import type { Clock } from '../../../adapters/clock.ts'
import { findCamera } from '../../../db/cameras.ts'
import type { Database } from '../../../db/open.ts'
import { type Caller, inScope, type Login } from '../../../http/caller.ts'
import { hidesView } from '../../../scope/unmasked.ts'
import { onlineCamera } from '../../locais/public.ts'
import type { LiveFrame, LiveViews, Viewer } from './live-views.ts'
import type { ViewRequest } from './view-commands.ts'

export interface LiveViewDeps {
  readonly db: Database
  readonly clock: Clock
  readonly views: LiveViews
  /** Whether the session is still valid, and its scope. The host was checked when the view was opened. */
  readonly authenticate: (token: string) => Promise<Login | null>
}

interface View {
  /** Frames, as fast as the viewer reads them. The iteration ends with the session, the scope or the camera. */
  readonly frames: AsyncGenerator<LiveFrame, void, void>
  /** Must be called at the end in every case; a second call has no effect. */
  leave(): void
}

const FIRST_FRAME_MS = 10_000
/** Interval of the checks of the caller's rights. */
const CHECK_MS = 1_000
/** Time without a frame after which the view ends, so that the page does not show a frozen picture. */
const SILENT_MS = 15_000

/**
 * Opens a live view of a camera. Resolves when the first frame is available.
 * @param signal aborts when the client has left
 * @throws VigiaError `nao_encontrado` (camera missing, or not online), `indisponivel`, `muitas_requisicoes`.
 */
export async function openLiveView(
  deps: LiveViewDeps,
  caller: Caller,
  { id, view, token }: { readonly id: number; readonly view: ViewRequest; readonly token: string },
  signal: AbortSignal,
): Promise<View> {
  const camera = await onlineCamera(deps, caller, id)
  const viewer = deps.views.watch(camera, view)
  signal.addEventListener('abort', viewer.leave, { once: true })
  try {
    const first = await viewer.next(FIRST_FRAME_MS)
    if (!first) throw new VigiaError('indisponivel', { detalhe: failureText.sem_quadro })
    const allowed = () => mayWatch(deps, token, camera)
    return { frames: framesOf(viewer, first, 1000 / view.fps, allowed, signal), leave: viewer.leave }
  } catch (error) {
    viewer.leave()
    throw error
  }
}

async function* framesOf(
  viewer: Viewer,
  first: LiveFrame,
  everyMs: number,
  allowed: () => Promise<boolean>,
  signal: AbortSignal,
): AsyncGenerator<LiveFrame, void, void> {
  yield first
  let sentAt = performance.now()
  let checkedAt = 0
  while (!signal.aborted && performance.now() - sentAt < SILENT_MS) {
    if (performance.now() - checkedAt >= CHECK_MS) {
      checkedAt = performance.now()
      if (!(await allowed())) return
    }
    // Slightly shorter than the interval, because frame times jitter.
    const earlyMs = sentAt + 0.8 * everyMs - performance.now()
    if (earlyMs > 0) {
      await delay(Math.min(earlyMs, CHECK_MS))
      continue
    }
    const frame = await viewer.next(CHECK_MS)
    if (!frame) continue
    yield frame
    // A viewer that reads slowly is not a camera without frames.
    sentAt = performance.now()
  }
}

/** Reads the current state: logout, changed scope, camera disabled or moved to another edge. */
async function mayWatch(
  { db, authenticate }: LiveViewDeps,
  token: string,
  { id, edgeId }: { readonly id: number; readonly edgeId: number },
): Promise<boolean> {
  const caller = await authenticate(token)
  const camera = await findCamera(db, id)
  if (!caller || !camera || !inScope(caller, camera.empresa_id) || hidesView(caller, camera)) return false
  return camera.ativa === 1 && camera.edge_id === edgeId
}
