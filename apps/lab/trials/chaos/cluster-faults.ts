import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster, ReplicaProcess } from '@vigia/testing/install-cluster'
import type { World } from '../../src/counting/world.ts'
import { between, type Fault } from './faults.ts'

/** Longer than the lease of a replica (10 s), so that the others take its edges. */
const BEYOND_LEASE_MS = 12_000

const clusterOf = ({ installation }: World): Cluster => installation as Cluster

/** Draws one replica. */
function pick(world: World, random: () => number): ReplicaProcess {
  const { replicas } = clusterOf(world)
  const replica = replicas[Math.floor(random() * replicas.length)]
  if (!replica) throw new Error('no replica')
  return replica
}

const onReplica = (name: string, run: (replica: ReplicaProcess, random: () => number) => Promise<void>): Fault => ({
  name,
  on: 'cloud',
  run: (world, random) => run(pick(world, random), random),
})

const killReplica = onReplica('kill replica', async (replica, random) => {
  await replica.program.kill()
  await delay(between(random, 0, 1_000))
  await replica.start()
})

/** A rolling restart of one replica. */
const restartReplica = onReplica('restart replica', async (replica) => {
  await replica.program.stop()
  await replica.start()
})

/** Below and beyond its lease; afterwards the replica must find out what it lost. */
const freezeReplica = onReplica('freeze replica', async (replica, random) => {
  const { pid } = replica.program
  process.kill(pid, 'SIGSTOP')
  await delay(random() < 0.5 ? between(random, 300, 3_000) : BEYOND_LEASE_MS)
  process.kill(pid, 'SIGCONT')
})

/** The replica is alone with the broker. */
const cutDatabase = onReplica('cut database', async ({ database }, random) => {
  if (random() < 0.4) {
    database.cut()
    return
  }
  database.frozen = true
  await delay(random() < 0.5 ? between(random, 300, 3_000) : BEYOND_LEASE_MS)
  if (random() < 0.5) database.cut()
  database.frozen = false
})

const onPostgres = (name: string, run: (cluster: Cluster, random: () => number) => Promise<void>): Fault => ({
  name,
  on: 'database',
  run: (world, random) => run(clusterOf(world), random),
})

const restartPostgres = onPostgres('restart postgres', async ({ postgres }, random) => {
  if (random() < 0.5) await postgres.kill()
  else await postgres.stop()
  await delay(between(random, 0, 1_000))
  await postgres.start()
})

const movePrimary = onPostgres('move primary', async ({ postgres, replicas }) => {
  await postgres.move()
  for (const { database } of replicas) {
    database.target = postgres.port
    database.cut()
  }
})

/** Faults of a cluster, beside those of the edge, its line and the broker. */
export const clusterFaults: readonly Fault[] = [
  killReplica,
  restartReplica,
  freezeReplica,
  cutDatabase,
  restartPostgres,
  movePrimary,
]
