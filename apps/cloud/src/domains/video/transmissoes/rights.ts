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

/** Interval of the checks of a viewer's rights. */
const CHECK_MS = 1_000

/**
 * Returns the login of a viewer by the current state. null: logout, changed scope, or the camera was disabled, removed
 * or moved to another edge.
 */
export async function viewerOf(
  { db, authenticate }: RightsDeps,
  token: string,
  { id, edgeId }: Watched,
): Promise<Login | null> {
  const login = await authenticate(token)
  const camera = await findCamera(db, id)
  if (!login || !camera || !inScope(login, camera.empresa_id) || hidesView(login, camera)) return null
  return camera.ativa === 1 && camera.edge_id === edgeId ? login : null
}

/** Why a view ends: the session, or its access, is lost; or the camera is no longer there for anybody. */
export type RightsEnd = 'sessao' | 'camera'

async function rightsEnd(deps: RightsDeps, token: string, watched: Watched): Promise<RightsEnd | null> {
  if (await viewerOf(deps, token, watched)) return null
  const login = await deps.authenticate(token)
  const camera = await findCamera(deps.db, watched.id)
  if (!login) return 'sessao'
  return camera && (!inScope(login, camera.empresa_id) || hidesView(login, camera)) ? 'sessao' : 'camera'
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
      const end = await rightsEnd(deps, token, camera)
      if (end !== null) return ended.abort(end)
    }
  }
  // A check that fails must not leave the picture running.
  check().catch(() => ended.abort('camera' satisfies RightsEnd))
  return ended.signal
}
