import type { Gravidade } from '@vigia/contracts/ias'
import type { Clock } from '../../../adapters/clock.ts'
import { subtreeIds } from '../../../db/empresas.ts'
import type { Database } from '../../../db/open.ts'
import { deleteDescartados } from '../../eventos/delete-descartados.ts'
import { type DiscardDeps, discardFiles } from '../../eventos/discard-files.ts'
import { takePictures } from '../evento-store.ts'
import { takePassagePictures } from '../passagem-store.ts'
import { type Evictable, listDescartados, listEventos, listPassagens, readUse, type Victim } from './store.ts'

export interface SpaceDeps extends DiscardDeps {
  readonly clock: Clock
}

/** Records whose pictures go in one transaction. */
const AT_ONCE = 20

interface Kind {
  readonly list: (db: Database, which: Evictable) => Promise<Victim[]>
  readonly take: (deps: SpaceDeps, empresaId: number, ids: readonly number[], now: number) => Promise<void>
}

const ofEventos = (gravidade: Gravidade): Kind => ({
  list: (db, which) => listEventos(db, which, gravidade),
  take: async (deps, empresaId, ids, now) => discardFiles(deps, await takePictures(deps.db, { empresaId, ids, now })),
})

const ofPassagens = (comEvento: boolean): Kind => ({
  list: (db, which) => listPassagens(db, which, { comEvento }),
  take: async (deps, empresaId, ids, now) =>
    discardFiles(deps, await takePassagePictures(deps.db, { empresaId, ids, now })),
})

const descartados: Kind = {
  list: listDescartados,
  take: (deps, _empresaId, ids) => deleteDescartados(deps, ids, async () => {}),
}

/** Pictures in the order in which they go; of one kind the oldest first. */
const KINDS: readonly Kind[] = [
  descartados,
  ofPassagens(false),
  ofEventos('baixa'),
  ofEventos('media'),
  ofPassagens(true),
  ofEventos('alta'),
  ofEventos('critica'),
]

/**
 * Deletes pictures of an Empresa and those below it, the least important first, until it has at most `most` bytes.
 * Preserved ones stay.
 * @returns whether it has
 */
export async function makeSpace(deps: SpaceDeps, empresaId: number, most: number): Promise<boolean> {
  const { db, clock } = deps
  if ((await readUse(db, empresaId)) <= most) return true
  const empresaIds = [...(await subtreeIds(db, empresaId))]
  for (const { list, take } of KINDS) {
    let before = ''
    for (;;) {
      const now = clock.now()
      const victims = await list(db, { empresaIds, now, limit: AT_ONCE })
      // Files that cannot go, because a hold came in between, must not be chosen for ever.
      const chosen = victims.map(({ id }) => id).join()
      if (victims.length === 0 || chosen === before) break
      before = chosen
      for (const [own, some] of Map.groupBy(victims, (victim) => victim.empresa_id))
        await take(
          deps,
          own,
          some.map(({ id }) => id),
          now,
        )
      if ((await readUse(db, empresaId)) <= most) return true
    }
  }
  return false
}
