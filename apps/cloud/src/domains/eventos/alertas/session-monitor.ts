import type { Login } from '../../../http/caller.ts'

/** The session of a waiting stream. */
interface Watched {
  readonly token: string
  /** The last result of its check. */
  readonly login: Login
  /** Called when the session has ended or its rights have changed. */
  changed(): void
}

/** Checks the sessions of all waiting streams together. */
export interface SessionMonitor {
  /** Checks this session until the returned function is called. */
  watch(watched: Watched): () => void
}

/** @param everyMs longest time between two checks of a session */
export function createSessionMonitor(
  authenticate: (token: string) => Promise<Login | null>,
  everyMs: number,
): SessionMonitor {
  const waiting = new Set<Watched>()
  let timer: NodeJS.Timeout | undefined

  /** All checks begin in one turn of the event loop, so that they share their statements. */
  const checkAll = () => Promise.all([...waiting].map(check))

  async function check(watched: Watched): Promise<void> {
    // A failure is reported by the check of the stream itself.
    const login = await authenticate(watched.token).catch(() => null)
    if (login === null || !hasSameRights(login, watched.login)) watched.changed()
  }

  return {
    watch(watched) {
      waiting.add(watched)
      timer ??= setInterval(() => void checkAll(), everyMs)
      return () => {
        waiting.delete(watched)
        if (waiting.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

/** Whether a stream goes on as before. */
export const hasSameRights = (a: Login, b: Login): boolean =>
  a.papel === b.papel && isSameScope(a.placasOcultas, b.placasOcultas) && isSameScope(a.escopo, b.escopo)

const isSameScope = (a: Login['escopo'], b: Login['escopo']): boolean =>
  a === 'tudo' || b === 'tudo' ? a === b : a.size === b.size && [...a].every((id) => b.has(id))
