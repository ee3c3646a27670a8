import { setTimeout as delay } from 'node:timers/promises'
import { startBalancer } from '@vigia/testing/balancer'
import { clusterInstaller } from '@vigia/testing/install-cluster'
import { seededRandom } from '@vigia/testing/random'
import { waitFor } from '@vigia/testing/wait'
import { confirmedIds, countExtras, countStored, readLedger } from '../../src/counting/ledger-store.ts'
import { drained, startWorld, type World } from '../../src/counting/world.ts'
import { mountCloudDisk } from './cloud-disk.ts'
import { clusterFaults } from './cluster-faults.ts'
import { type DropShares, isRightlyDropped, type Round, shareDrops } from './drops.ts'
import { draw, everyday, outsideCloud, possibleFaults } from './faults.ts'
import { isClean, isSeen, judge, type Verdict } from './verdict.ts'
import { startWitnesses, type Witnesses, type WitnessReport } from './witnesses.ts'

const CAMERAS = 3
/** The smallest possible quota, so that a round can fill it. */
const OUTBOX_MB = 1
/** Each fault of a round begins within this time. */
const SPREAD_MS = 500
const CLUSTER_RATE = 2
/** The clips of confirmed events wait for their upload; they must not use up the quota. */
const CLUSTER_OUTBOX_MB = 32
const PROGRESS_MS = 60_000
const DRAIN_MS = 180_000
/** Longer than the takeover of an edge by another replica. */
const QUIET_MS = 20_000

export interface ChaosOptions {
  readonly rounds: number
  readonly seed: number
  readonly broker: 'aedes' | 'mosquitto'
  /** Replicas of the cloud; 1: one machine with SQLite, unless `banco` is `postgres`. */
  readonly replicas: number
  readonly banco: 'sqlite' | 'postgres'
}

export interface ChaosRun {
  readonly verdict: Verdict
  readonly drops: DropShares
  /** null: no cluster. */
  readonly witnessed: WitnessReport | null
  /** Number of occurrences of each fault. */
  readonly faults: ReadonlyMap<string, number>
  /** Folder with databases and logs of a failed run; null: removed after a clean run. */
  readonly files: string | null
}

/**
 * Counts events through rounds of faults drawn from the seed, and judges the stored events. `onRound` is called after
 * each round.
 * @throws Error when no event arrives for a minute, or some are missing three minutes after the last round
 */
export async function runChaos(
  { rounds, seed, broker, replicas, banco }: ChaosOptions,
  onRound: (round: number, faults: readonly string[], stored: number) => void,
): Promise<ChaosRun> {
  const isCluster = banco === 'postgres'
  const disk = isCluster ? null : mountCloudDisk()
  if (disk === null && !isCluster) console.warn('mounting is not allowed here: the fault "full cloud disk" is left out')
  const faults = isCluster ? [...outsideCloud, ...clusterFaults] : possibleFaults(disk)
  const world = await startWorld({
    cameras: CAMERAS,
    outboxMb: isCluster ? CLUSTER_OUTBOX_MB : OUTBOX_MB,
    // A cluster also verifies, notifies and syncs each commit on the two cores of a small machine.
    ...(isCluster && { install: clusterInstaller({ count: replicas, startFront: startBalancer }), rate: CLUSTER_RATE }),
    lines: { random: seededRandom(`${seed} line`) },
    ...(broker === 'mosquitto' && { broker }),
    prepareData: async (dataDir) => disk?.put(dataDir),
  }).catch((error: unknown) => {
    disk?.close(null)
    throw error
  })
  const { dataDir } = world.installation
  const counts = new Map<string, number>()
  const begun: Round[] = []
  let keepFiles = true
  let witnesses: Witnesses | null = null
  try {
    if (isCluster) witnesses = await startWitnesses(world.api, seededRandom(`${seed} receiver`))
    await world.control(everyday(world))
    for (let round = 1; round <= rounds; round++) {
      const drawn = draw(faults, seededRandom(`${seed} ${round}`))
      const before = await countStored(cloudData(world))
      const fills = drawn.filter((fault) => fault.fills).map(({ name }) => name)
      await world.control({ round })
      begun.push({ startedAt: Date.now(), fills: fills.toSorted() })
      await Promise.all(
        drawn.map(async (fault) => {
          // A separate generator per fault: its draws must not depend on the progress of another fault.
          const random = seededRandom(`${seed} ${round} ${fault.name}`)
          await delay(random() * SPREAD_MS)
          await fault.run(world, random)
        }),
      )
      const stored = await waitFor(
        'events to arrive after the faults of a round',
        async () => {
          const now = await countStored(cloudData(world))
          return now > before && now
        },
        { timeoutMs: PROGRESS_MS, everyMs: 50 },
      )
      await emptied(world, fills.length > 0 ? 2 * world.rate * CAMERAS : MOST_LEFT)
      for (const { name } of drawn) counts.set(name, (counts.get(name) ?? 0) + 1)
      onRound(
        round,
        drawn.map(({ name }) => name),
        stored,
      )
    }
    if (isCluster) await deliverBacklog(world)
    // Their lane is the lowest: between the faults it has hardly any turn.
    await emptied(world, 2 * world.rate * CAMERAS)
    await world.control({ ...everyday(world), rate: 2, most: Number.MAX_SAFE_INTEGER })
    const { evidence } = await countExtras(cloudData(world))
    const more = async () => (await countExtras(cloudData(world))).evidence > evidence
    await waitFor('further pictures to arrive after the last round', more, { timeoutMs: DRAIN_MS, everyMs: 100 })
    await world.control({ rate: 0 })
    const verdict = judge(await settle(world))
    const totals = { produced: verdict.produced, recorded: verdict.droppedEvents }
    const drops = shareDrops(world.drops(), begun, totals)
    const witnessed = (await witnesses?.judge(await confirmedIds(cloudData(world)))) ?? null
    keepFiles = !isClean(verdict) || !isSeen(witnessed) || !isRightlyDropped(drops)
    return { verdict, drops, witnessed, faults: counts, files: keepFiles ? dataDir : null }
  } catch (error) {
    throw new Error(`the run with seed ${seed} failed; its files are in ${dataDir}`, { cause: error })
  } finally {
    await witnesses?.close()
    await world.close({ keepFiles })
    disk?.close(keepFiles ? dataDir : null)
  }
}

/** The address of the database changes when its primary moves. */
const cloudData = ({ installation }: World) => ({ dataDir: installation.dataDir, banco: installation.banco })

/** Records that a round may leave to the next one: with its own events they do not fill the quota. */
const MOST_LEFT = 150

/** Waits until the edge has delivered what filled it, and ends the round. */
async function emptied(world: World, few: number): Promise<void> {
  const since = Date.now()
  const isEmpty = async () => {
    const { records, at } = await world.waiting()
    return at > since && records <= few
  }
  await waitFor('the edge to deliver what filled it', isEmpty, { timeoutMs: DRAIN_MS, everyMs: 100 })
}

/**
 * Waits until no more events and pictures arrive, without new ones. A cluster on two cores needs minutes for the
 * records that filled the quota.
 */
async function deliverBacklog(world: World): Promise<void> {
  const arrived = async () => {
    const { evidence, discards } = await countExtras(cloudData(world))
    return evidence + discards + (await countStored(cloudData(world)))
  }
  await world.control({ rate: 0 })
  for (let before = -1, now = await arrived(); now > before; now = await arrived()) {
    before = now
    await delay(QUIET_MS)
  }
}

/**
 * Waits until all records are delivered, then stops the edge. An edge that has just confirmed its last record may have
 * one more in memory.
 */
async function settle(world: World) {
  const { edgeDir, programs, start } = world.installation
  for (let tries = 0; ; tries++) {
    await drained(world, DRAIN_MS)
    await programs.edge.stop()
    const ledger = await readLedger(cloudData(world), edgeDir, { clips: true })
    // The notices about clips have the lowest lane. A start settles the events whose clip did not come.
    const isEmpty = ledger.waiting === 0 && ledger.extrasWaiting === 0 && ledger.clipsAwaited === 0
    if (isEmpty || tries === 8) return ledger
    await start('edge')
  }
}
