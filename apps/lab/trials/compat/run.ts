import { iasPadrao } from '@vigia/contracts/perfis'
import { waitFor } from '@vigia/testing/wait'
import { countExtras, readLedger } from '../../src/counting/ledger-store.ts'
import { drained, type FormerEntries, startWorld, type World } from '../../src/counting/world.ts'
import { judge, type Verdict } from '../chaos/verdict.ts'

const CAMERAS = 3
const EVENTS_EACH = 100
/** Events of each camera after the upgrade, each with two further pictures and a discarded candidate. */
const LATER_EACH = 50
const EXTRA_BYTES = 2_000
const DRAIN_MS = 120_000

export interface CompatResult {
  /** With one former program. */
  readonly mixed: Verdict
  /** At the end, after the upgrade of that program; null: the first part was wrong. */
  readonly upgraded: Verdict | null
}

/**
 * Counts events and extras from edge to cloud with programs of two releases: first live, then from the backlog after
 * the broker was stopped. In between the edge has to apply a change of the configuration and to answer a command. Then
 * the former program is upgraded, and the extras of all further events must arrive. `isRight` judges the first part.
 * @throws Error when the configuration is not applied, the command fails, or the backlog does not drain in time
 */
export async function runCompat(former: FormerEntries, isRight: (mixed: Verdict) => boolean): Promise<CompatResult> {
  const world = await startWorld({ cameras: CAMERAS, outboxMb: 64, entries: former })
  const { installation, control } = world
  const { programs, dataDir, edgeDir } = installation
  const countAll = async () => {
    await drained(world, DRAIN_MS)
    await programs.edge.stop()
    return judge(await readLedger({ dataDir }, edgeDir))
  }
  try {
    await control({ rate: 50, upTo: EVENTS_EACH / 2, evidenceBytes: EXTRA_BYTES, discardBytes: EXTRA_BYTES })
    await drained(world, DRAIN_MS)
    await applyChange(world)
    await runCommand(world)
    await programs.broker.stop()
    await control({ upTo: EVENTS_EACH })
    await waitFor('the backlog', world.complete)
    await programs.edge.kill()
    await installation.start('broker')
    await installation.start('edge')
    const mixed = await countAll()
    if (!isRight(mixed)) return { mixed, upgraded: null }

    if (former.cloud !== undefined) {
      await programs.cloud.stop()
      await world.startPresent('cloud')
    }
    await world.startPresent('edge')
    await runCommand(world)
    const reached = await firstExtras(world)
    const before = await countExtras({ dataDir })
    await control({ upTo: reached + LATER_EACH })
    const later = CAMERAS * LATER_EACH
    await waitFor(
      'the extras of every event after the upgrade',
      async () => {
        const { evidence, discards } = await countExtras({ dataDir })
        return evidence - before.evidence === 2 * later && discards - before.discards === later
      },
      { timeoutMs: DRAIN_MS },
    )
    return { mixed, upgraded: await countAll() }
  } finally {
    await world.close()
  }
}

async function applyChange({ api }: World): Promise<void> {
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
}

/** A command passes through the edge and comes back: the probe of a closed port. */
async function runCommand({ api }: World): Promise<void> {
  await waitFor('the answer to a command', async () => {
    const [edge] = await api.get<{ id: number }[]>('/edges')
    const body = { host: '127.0.0.1', portas: [9], edge_id: edge?.id }
    const [port] = await api.call<{ porta: number; tcp: boolean }[]>('POST', '/cameras/testar-conexao', body)
    return port?.porta === 9 && !port.tcp
  })
}

/**
 * Produces single events until their extras arrive, because the edge keeps none before it has the list of the upgraded
 * cloud. Returns the last number of each camera.
 */
async function firstExtras({ control, complete, installation: { dataDir } }: World): Promise<number> {
  let reached = EVENTS_EACH
  await waitFor(
    'extras after the upgrade',
    async () => {
      // Some cameras may have had the list before, others not.
      const known = await countExtras({ dataDir })
      reached += 1
      await control({ upTo: reached })
      await waitFor('one more event', complete)
      const arrived = async () => {
        const { evidence, discards } = await countExtras({ dataDir })
        return evidence === known.evidence + 2 * CAMERAS && discards === known.discards + CAMERAS
      }
      return waitFor('its extras', arrived, { timeoutMs: 3_000 })
    },
    { timeoutMs: DRAIN_MS },
  )
  return reached
}
