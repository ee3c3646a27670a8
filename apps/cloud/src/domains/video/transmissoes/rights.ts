import { setTimeout as delay } from 'node:timers/promises'
import { findCamera } from '../../../db/cameras.ts'
import type { Database } from '../../../db/open.ts'
import { inScope, type Login } from '../../../http/caller.ts'
import { hidesView } from '../../../scope/unmasked.ts'

export interface RightsDeps {
  readonly db: Database
  /** Whether the session is still valid, and its scope. A renewal of the session does not end it. */
  readonly authenticate: (token: string) => Promise<Login | null>
}

interface Watched {
  readonly id: number
  readonly edgeId: number
}

export type RightsEnd = 'sessao' | 'camera'

/** Interval of the checks of a viewer's rights. */
const CHECK_MS = 1_000

/**
 * Returns the login of a viewer by the current state, or why the view ends. `sessao`: logout or changed scope;
 * `camera`: it was disabled, removed or moved to another edge, for everybody.
 */
export async function viewerOf(
  { db, authenticate }: RightsDeps,
  token: string,
  { id, edgeId }: Watched,
): Promise<Login | RightsEnd> {
  const login = await authenticate(token)
  if (!login) return 'sessao'
  const camera = await findCamera(db, id)
  if (camera && (!inScope(login, camera.empresa_id) || hidesView(login, camera))) return 'sessao'
  return camera?.ativa === 1 && camera.edge_id === edgeId ? login : 'camera'
}

/**
 * Returns a signal that aborts when the viewer's rights end, with a `RightsEnd` as its reason. The checks stop when
 * `leaving` aborts.
 */
export function watchRights(deps: RightsDeps, token: string, camera: Watched, leaving: AbortSignal): AbortSignal {
  const ended = new AbortController()
  const check = async () => {
    while (!leaving.aborted) {
      await delay(CHECK_MS, undefined, { signal: leaving })
      const viewer = await viewerOf(deps, token, camera)
      if (typeof viewer === 'string') return ended.abort(viewer)
    }
  }
  // A check that fails must not leave the picture running.
  check().catch(() => ended.abort('camera' satisfies RightsEnd))
  return ended.signal
}
