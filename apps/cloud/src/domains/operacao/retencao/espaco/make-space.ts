import type { Gravidade } from '@vigia/contracts/ias'
import type { Clock } from '../../../../adapters/clock.ts'
import { subtreeIds } from '../../../../db/empresas.ts'
import type { Database } from '../../../../db/open.ts'
import type { Incoming } from '../../../../scope/media-space.ts'
import { type DiscardDeps, deleteDescartados, discardFiles } from '../../../eventos/public.ts'
import { takeCopies, takeOldClipes, takeStrips } from '../clipe-store.ts'
import { type Chosen, takePictures } from '../evento-store.ts'
import { takePassagePictures } from '../passagem-store.ts'
import {
  type Evictable,
  listClipes,
  listCopies,
  listDescartados,
  listEventos,
  listGravacoes,
  listPassagens,
  listStrips,
  readUse,
  type Victim,
} from './store.ts'

export interface SpaceDeps extends DiscardDeps {
  readonly clock: Clock
}

/** Records whose files go in one transaction. */
const AT_ONCE = 20

interface Kind {
  readonly list: (db: Database, which: Evictable) => Promise<Victim[]>
  readonly take: (deps: SpaceDeps, chosen: Chosen) => Promise<void>
}

const kind = (list: Kind['list'], take: (db: Database, chosen: Chosen) => Promise<string[]>): Kind => ({
  list,
  take: async (deps, chosen) => discardFiles(deps, await take(deps.db, chosen)),
})

const takeForSpace = (db: Database, chosen: Chosen) => takeOldClipes(db, chosen, 'espaco')
const clipes = (gravidade: Gravidade) => kind((db, which) => listClipes(db, which, gravidade), takeForSpace)
const eventos = (gravidade: Gravidade) => kind((db, which) => listEventos(db, which, gravidade), takePictures)
const passagens = (comEvento: boolean) =>
  kind((db, which) => listPassagens(db, which, { comEvento }), takePassagePictures)
const descartados: Kind = {
  list: listDescartados,
  take: (deps, { ids }) => deleteDescartados(deps, ids, async () => {}),
}

/**
 * Media in the order in which they go, of one kind the oldest first. As on the edge, a smaller promise goes before a
 * bigger one (docs/link.md, Order of loss). New media displace their own kind and those before it.
 */
const KINDS: readonly { readonly incoming: Incoming; readonly kinds: readonly Kind[] }[] = [
  { incoming: 'copia', kinds: [kind(listCopies, takeCopies), descartados] },
  { incoming: 'gravacao', kinds: [kind(listGravacoes, takeForSpace)] },
  {
    incoming: 'clipe',
    kinds: [kind(listStrips, takeStrips), clipes('baixa'), clipes('media'), clipes('alta'), clipes('critica')],
  },
  {
    incoming: 'imagem',
    kinds: [passagens(false), eventos('baixa'), eventos('media'), passagens(true), eventos('alta'), eventos('critica')],
  },
]

/** Space that is needed. */
interface Need {
  readonly empresaId: number
  /** Bytes that the Empresa may have afterwards. */
  readonly most: number
  readonly incoming: Incoming
}

/**
 * Deletes media of an Empresa and those below it, the least important first, until it has at most `most` bytes.
 * Preserved ones stay.
 * @returns whether it has
 */
export async function makeSpace(deps: SpaceDeps, { empresaId, most, incoming }: Need): Promise<boolean> {
  const { db, clock } = deps
  let over = (await readUse(db, empresaId)) - most
  if (over <= 0) return true
  const empresaIds = [...(await subtreeIds(db, empresaId))]
  const last = KINDS.findIndex((rank) => rank.incoming === incoming)
  for (const { list, take } of KINDS.slice(0, last + 1).flatMap(({ kinds }) => kinds)) {
    let before = ''
    for (;;) {
      const now = clock.now()
      const victims = enough(await list(db, { empresaIds, now, limit: AT_ONCE }), over)
      // Files that cannot go, because a hold came in between, must not be chosen for ever.
      const chosen = victims.map(({ id }) => id).join()
      if (victims.length === 0 || chosen === before) break
      before = chosen
      for (const [own, some] of Map.groupBy(victims, (victim) => victim.empresa_id))
        await take(deps, { empresaId: own, ids: some.map(({ id }) => id), now })
      over = (await readUse(db, empresaId)) - most
      if (over <= 0) return true
    }
  }
  // Another replica may have deleted what was listed as too much before.
  return (await readUse(db, empresaId)) <= most
}

/** The first victims that free `over` bytes. Victims of unknown size all go: pictures are small. */
function enough(victims: readonly Victim[], over: number): Victim[] {
  const chosen: Victim[] = []
  let left = over
  for (const victim of victims) {
    if (left <= 0) break
    chosen.push(victim)
    left -= Number(victim.bytes ?? 0)
  }
  return chosen
}
