import { iasPadrao } from '@vigia/contracts/perfis'
import { waitFor } from '@vigia/testing/wait'
import { judge, type Verdict } from '../chaos/verdict.ts'
import { readLedger } from '../counting/ledger-store.ts'
import { drained, startWorld, type WorldOptions } from '../counting/world.ts'

const CAMERAS = 3
const EVENTS_EACH = 100
const DRAIN_MS = 120_000

/**
 * Counts events from edge to cloud with programs of two releases: first live, then from the backlog after the broker
 * was stopped. In between the edge has to apply a change of the configuration.
 * @throws Error when the configuration is not applied or the backlog does not drain in time
 */
export async function runCompat(entries: WorldOptions['entries']): Promise<Verdict> {
  const world = await startWorld({ cameras: CAMERAS, outboxMb: 64, ...(entries && { entries }) })
  const { installation, api, control } = world
  try {
    await control({ rate: 50, upTo: EVENTS_EACH / 2 })
    await drained(world, DRAIN_MS)
    const [camera] = await api.get<{ id: number }[]>('/cameras')
    await api.call('PATCH', `/cameras/${camera?.id}`, {
      nome: 'Renomeada',
      zonas: [[0.1, 0.1, 0.9, 0.1, 0.5, 0.9]],
      config_ia: Object.fromEntries(iasPadrao.map((ia) => [ia, { conf: 0.6 }])),
    })
    await waitFor('the edge to apply the change', async () => {
      const [edge] = await api.get<{ config_aplicada: boolean | null }[]>('/edges')
      return edge?.config_aplicada === true
    })
    await installation.programs.broker.stop()
    await control({ upTo: EVENTS_EACH })
    await waitFor('the backlog', world.complete)
    await installation.programs.edge.kill()
    await installation.start('broker')
    await installation.start('edge')
    await drained(world, DRAIN_MS)
    await installation.programs.edge.stop()
    return judge(readLedger(installation.dataDir, installation.edgeDir))
  } finally {
    await world.close()
  }
}
