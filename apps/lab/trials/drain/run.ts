import { copyFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { waitFor } from '@vigia/testing/wait'
import { countStored, readLedger } from '../../src/counting/ledger-store.ts'
import { drained, startWorld } from '../../src/counting/world.ts'
import { judge, type Verdict } from '../chaos/verdict.ts'
import { perSecond, type Rate, rateOfPlainInsert, rateOfPlainRead } from './peers-store.ts'

const CAMERAS = 10
const OUTBOX_MB = 100_000
/** Number of records in the largest batch of the edge. */
const TOGETHER = 64
const HOUR_MS = 3_600_000

export interface Drain {
  readonly verdict: Verdict
  readonly drained: Rate
  readonly plainRead: Rate
  readonly plainInsert: Rate
  /** Size of the outbox per event. */
  readonly bytesPerEvent: number
}

/**
 * Collects `events` (a multiple of 10) on an edge while the broker is stopped. Restarts the broker and measures how
 * fast they are stored. The reference measurements use the same rows: a read of the outbox file, and inserts into the
 * database.
 */
export async function runDrain(
  events: number,
  evidenceBytes: number,
  onProgress: (stored: number) => void,
): Promise<Drain> {
  const world = await startWorld({ cameras: CAMERAS, outboxMb: OUTBOX_MB })
  const { dataDir, edgeDir, programs, start } = world.installation
  try {
    await programs.broker.stop()
    await world.control({ rate: 200, together: 50, upTo: events / CAMERAS, evidenceBytes })
    await waitFor('the events to be on the disk of the box', () => world.complete(), { timeoutMs: HOUR_MS })
    await programs.edge.stop()
    const copy = join(dataDir, 'copia.db')
    await copyFile(join(edgeDir, 'edge.db'), copy)
    const plainRead = rateOfPlainRead(copy)
    const bytesPerEvent = (await stat(copy)).size / events

    await start('broker')
    await start('edge')
    await waitFor('the first event to be stored', async () => (await countStored({ dataDir })) > 0, { everyMs: 20 })
    const begun = performance.now()
    const first = await countStored({ dataDir })
    await waitFor(
      'all events to be stored',
      async () => {
        const stored = await countStored({ dataDir })
        onProgress(stored)
        return stored >= events
      },
      { timeoutMs: HOUR_MS, everyMs: 100 },
    )
    const rate = perSecond(events - first, begun)
    await drained(world, 60_000)
    await programs.edge.stop()
    const verdict = judge(await readLedger({ dataDir }, edgeDir))
    return { verdict, drained: rate, plainRead, plainInsert: rateOfPlainInsert(dataDir, TOGETHER), bytesPerEvent }
  } finally {
    await world.close()
  }
}

/** Returns the rates in one text. */
export function describeDrain({ verdict, drained: rate, plainRead, plainInsert, bytesPerEvent }: Drain): string {
  const slower = Math.min(plainRead, plainInsert)
  return [
    `drained: ${verdict.stored} of ${verdict.produced} events, ${Math.round(rate)} a second`,
    `plain read of the outbox: ${Math.round(plainRead)} a second`,
    `plain insert into the database: ${Math.round(plainInsert)} a second`,
    `${verdict.evidence} further pictures stored; ${Math.round(bytesPerEvent)} bytes of the outbox per event`,
    `the slower of the two is ${(slower / rate).toFixed(1)} times as fast as the whole way`,
  ].join('\n')
}
