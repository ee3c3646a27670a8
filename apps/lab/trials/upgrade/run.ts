import type { Api } from '@vigia/testing/api'
import { type Cluster, clusterInstaller } from '@vigia/testing/install-cluster'
import { startNginx } from '@vigia/testing/nginx'
import { repeatRequests } from '@vigia/testing/repeat-requests'
import { waitFor } from '@vigia/testing/wait'
import { appliedMigrations, confirmedIds, countStored, readLedger } from '../../src/counting/ledger-store.ts'
import { drained, type FormerEntries, startWorld } from '../../src/counting/world.ts'
import { judge, type Verdict } from '../chaos/verdict.ts'
import { startWitnesses, type WitnessReport } from '../chaos/witnesses.ts'

const CAMERAS = 3
/** Events a second of each camera. */
const RATE = 5
/** Events that have to arrive between two steps. */
const BETWEEN = 100
const WAIT_MS = 120_000
const PAUSE_MS = 50

export interface UpgradeResult {
  readonly verdict: Verdict
  readonly witnessed: WitnessReport
  /** Statuses of the requests, or the errors of those without an answer. */
  readonly requests: readonly string[]
  /** Names of the migrations that ran while a replica of the former release served. */
  readonly migrations: readonly string[]
}

/**
 * Replaces the replicas and the edge of a former release one after the other, under load.
 * @param former programs as file URLs
 * @param onStep called after each step with its duration in seconds
 * @throws Error if no events arrive for two minutes
 */
export async function runUpgrade(
  former: Required<FormerEntries>,
  onStep: (name: string, seconds: number) => void,
): Promise<UpgradeResult> {
  const world = await startWorld({
    cameras: CAMERAS,
    outboxMb: 64,
    rate: RATE,
    entries: former,
    install: clusterInstaller({ count: 2, startFront: startNginx }),
  })
  const cluster = world.installation as Cluster
  const cloud = () => ({ dataDir: cluster.dataDir, banco: cluster.postgres.url })
  const present = { entry: 'apps/cloud/src/test/unverifying-cloud.ts' }
  const step = async (name: string, run: () => Promise<unknown>) => {
    const begin = performance.now()
    const before = await countStored(cloud())
    await run()
    const more = async () => (await countStored(cloud())) >= before + BETWEEN
    await waitFor(`events after: ${name}`, more, { timeoutMs: WAIT_MS, everyMs: 200 })
    onStep(name, (performance.now() - begin) / 1000)
  }
  const [one, two] = cluster.replicas
  if (!one || !two) throw new Error('two replicas are needed')
  const witnesses = await startWitnesses(world.api, Math.random)
  const empresaId = (await world.api.get<{ id: number }[]>('/empresas'))[0]?.id ?? 0
  try {
    await world.control({ rate: RATE, pictureBytes: 2_000 })
    const endReads = repeatRequests(() => world.api.fetch('/cameras', { headers: { connection: 'close' } }), PAUSE_MS)
    const endWrites = repeatRequests((n) => rename(world.api, empresaId, n), PAUSE_MS)
    await step('both replicas and the edge of the previous release', async () => {})
    const before = await appliedMigrations(cloud())
    await step('replica 2 of this release, after its migrations', async () => {
      await two.program.stop()
      await two.start(present)
    })
    const migrations = (await appliedMigrations(cloud())).filter((name) => !before.includes(name))
    await step('replica 1 of this release', async () => {
      await one.program.stop()
      await one.start(present)
    })
    await step('edge of this release', async () => {
      await cluster.programs.edge.stop()
      await world.startPresent('edge')
    })
    const requests = [...(await endReads()), ...(await endWrites())]
    await world.control({ rate: 0 })
    await drained(world, WAIT_MS)
    await cluster.programs.edge.stop()
    const verdict = judge(await readLedger(cloud(), cluster.edgeDir))
    const witnessed = await witnesses.judge(await confirmedIds(cloud()))
    return { verdict, witnessed, requests, migrations }
  } finally {
    await witnesses.close()
    await world.close()
  }
}

function rename(api: Api, empresaId: number, n: number): Promise<Response> {
  return api.fetch(`/empresas/${empresaId}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ nome: `Contagem ${n}` }),
  })
}
