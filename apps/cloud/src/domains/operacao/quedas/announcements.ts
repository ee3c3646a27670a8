import type { Bus } from '../../../adapters/bus.ts'
import type { Database } from '../../../db/open.ts'
import { findQuedas, openQuedas, type QuedaRow } from './store.ts'
import { viewQueda } from './view-queda.ts'

/** Announces quedas to the streams of this replica. */
export function createAnnouncements({ db, bus }: { readonly db: Database; readonly bus: Bus }) {
  /** Open quedas that the streams know. */
  const announced = new Map<number, QuedaRow>()
  let isFollowing = false

  function announce(row: QuedaRow): void {
    bus.publish({ tipo: 'queda', queda: viewQueda(row) })
    if (row.fim === null) announced.set(row.id, row)
    else announced.delete(row.id)
  }

  return {
    announce,
    /** Announces what the leader has recorded since the last check. */
    async followLeader(): Promise<void> {
      const open = await openQuedas(db)
      const ended = [...announced.keys()].filter((id) => !open.some((row) => row.id === id))
      for (const row of await findQuedas(db, ended)) announce(row)
      for (const row of open) {
        const before = announced.get(row.id)
        // The first check after the start announces nothing.
        if (!isFollowing) announced.set(row.id, row)
        else if (before?.motivo !== row.motivo) announce(row)
      }
      isFollowing = true
    },
  }
}
