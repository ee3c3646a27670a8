import type { Clock } from '../../../adapters/clock.ts'
import type { DiskSpace } from '../../../adapters/disk-space.ts'
import { deleteDue, type WarnHeld } from '../../../db/hold-back/hold-back.ts'
import type { Database } from '../../../db/open.ts'
import type { Login } from '../../../http/caller.ts'
import type { Logger } from '../../../http/request-log.ts'
import { beginPresence, dropPresences, extendPresences, type Watched } from './presence-store.ts'

interface PresenceDeps {
  readonly db: Database
  readonly clock: Clock
  /** Time that ages count against. */
  readonly ages: Clock
  readonly warn: WarnHeld
  readonly log: Logger
  readonly disk: Pick<DiskSpace, 'tolerate'>
}

/** Time between two writes while somebody watches: the largest error of a recorded end. */
export const WRITE_MS = 30_000
/** A shorter pause between two streams, or a restart, does not end a presence. */
const JOIN_MS = 90_000
const DROP_MS = 86_400_000

interface Presence extends Watched {
  streams: number
  /** null: not written yet. */
  id: number | null
}

/** One row for a whole tree, or one for each Empresa. An API key is a program. */
function watchedBy({ chave, alcance, empresaId, escopo }: Login): Watched[] {
  if (chave) return []
  if (alcance === 'abaixo' || escopo === 'tudo') return [{ empresaId, abaixo: 1 }]
  return [...escopo].map((id) => ({ empresaId: id, abaixo: 0 }))
}

/**
 * Records when people have an alert stream open: one row for each Empresa, however many people watch. API keys are
 * programs and do not count. After a crash a row ends at its last write.
 */
export function createPresence({ db, clock, ages, log, disk, warn }: PresenceDeps) {
  const open = new Map<string, Presence>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let droppedAt = Number.NEGATIVE_INFINITY

  async function write(): Promise<void> {
    const now = clock.now()
    for (const presence of open.values()) presence.id ??= await beginPresence(db, presence, now - JOIN_MS, now)
    await extendPresences(
      db,
      [...open.values()].flatMap(({ id }) => id ?? []),
      now,
    )
    for (const [key, { streams }] of open) if (streams === 0) open.delete(key)
    if (now - droppedAt < DROP_MS) return
    droppedAt = now
    await deleteDue({ db, log, now: ages.now(), warn }, { tipo: 'presencas' }, (due) => dropPresences(db, due))
  }

  /** Writes run one after the other. */
  const save = (): Promise<void> => {
    writing = writing
      .then(() => disk.tolerate(write))
      .catch((err) => log.error({ err }, 'presences not recorded; will retry'))
    return writing
  }

  return {
    /** Records a stream of `caller` until the returned function is called. */
    enter(login: Login): () => void {
      const watched = watchedBy(login).map(({ empresaId, abaixo }) => {
        const key = `${empresaId}|${abaixo}`
        const presence = open.get(key) ?? { empresaId, abaixo, streams: 0, id: null }
        open.set(key, presence)
        presence.streams += 1
        return presence
      })
      if (watched.some(({ id }) => id === null)) void save()
      let left = false
      return () => {
        if (left) return
        left = true
        for (const presence of watched) presence.streams -= 1
        if (watched.some(({ streams }) => streams === 0)) void save()
      }
    },
    start() {
      timer = setInterval(() => void save(), WRITE_MS)
    },
    async stop() {
      clearInterval(timer)
      await save()
    },
  }
}
