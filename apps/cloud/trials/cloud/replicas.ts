import type { Program } from '@vigia/testing/program'
import { median } from '@vigia/testing/stats'
import { waitFor } from '@vigia/testing/wait'
import { type Cpu, coresBetween, meanCpu, readCpu } from './cpu.ts'
import { createSimulatedEdge, type SimulatedEdge } from './simulated-edge.ts'
import { openStage } from './stage.ts'
import { type OnProgress, runWork } from './work.ts'

export interface ReplicasLoad {
  readonly edges: number
  /** Batches of each edge in each measurement. */
  readonly batches: number
  /** One pair measures one process, then two; the next pair begins with two. */
  readonly pairs: number
}

export interface ReplicasRun {
  /** Records per second from the first batch to the last confirmation, medians. */
  readonly one: number
  readonly two: number
  /** Median of the ratios of the pairs. */
  readonly ratio: number
  /** Cores in use, means. */
  readonly coresOne: Cpu
  readonly coresTwo: Cpu
  readonly sent: number
  /** Confirmed records without an event, or without a line in the alert log. */
  readonly lost: number
  /** Events and lines beyond one for each sent record, and records of missing numbers. */
  readonly surplus: number
}

/** Records of a batch. */
const RECORDS = 64

/**
 * Stores batches of edges through the broker with one cloud process and with two, in turns on one PostgreSQL. The
 * second process starts and stops between the measurements.
 */
export async function measureReplicas(load: ReplicasLoad, onProgress: OnProgress): Promise<ReplicasRun> {
  const shape = { banco: 'postgres', empresas: load.edges, loginsPerEmpresa: 1, edgesPerEmpresa: 1 } as const
  const stage = await openStage({ ...shape, confirms: false }, onProgress)
  const edges = stage.empresas.flatMap((empresa) =>
    empresa.edges.map((edge) => createSimulatedEdge(edge, stage.mqttUrl)),
  )
  const rates: Record<1 | 2, number[]> = { 1: [], 2: [] }
  const cores: Record<1 | 2, Cpu[]> = { 1: [], 2: [] }
  let second: Program | null = null
  try {
    await waitFor('the edges to connect', () => edges.every(({ link }) => link.connected), { timeoutMs: 60_000 })
    const order = Array.from(
      { length: load.pairs },
      (_, pair) => (pair % 2 === 0 ? [1, 2] : [2, 1]) as (1 | 2)[],
    ).flat()
    for (const [at, replicas] of order.entries()) {
      if (replicas === 2) second ??= await stage.addReplica()
      else {
        await second?.stop()
        second = null
      }
      const title = replicas === 1 ? 'um processo' : 'dois processos'
      onProgress(at / order.length, title)
      await runWork('owners-program.ts', { banco: stage.banco, replicas }, () => {})
      // The first batch of an edge reads more than the later ones.
      await sendAll(edges, 1, () => {})
      const [began, before] = [performance.now(), await readCpu()]
      await sendAll(edges, load.batches, (fraction) => onProgress((at + fraction) / order.length, title))
      const seconds = (performance.now() - began) / 1000
      rates[replicas].push((edges.length * load.batches * RECORDS) / seconds)
      cores[replicas].push(coresBetween(before, await readCpu(), seconds))
    }
    const ratio = median(rates[2].map((rate, pair) => rate / (rates[1][pair] ?? 0)))
    const used = { coresOne: meanCpu(cores[1]), coresTwo: meanCpu(cores[2]) }
    return { one: median(rates[1]), two: median(rates[2]), ratio, ...used, ...(await count(edges, stage.banco)) }
  } finally {
    await Promise.all(edges.map((edge) => edge.stop()))
    await stage.close()
  }
}

async function sendAll(
  edges: readonly SimulatedEdge[],
  batches: number,
  onFraction: (fraction: number) => void,
): Promise<void> {
  let sent = 0
  const sendOf = async (edge: SimulatedEdge) => {
    for (let i = 0; i < batches; i += 1) {
      await edge.send(RECORDS)
      sent += 1
      onFraction(sent / (batches * edges.length))
    }
  }
  await Promise.all(edges.map(sendOf))
}

/** Compares the confirmed records with the rows of the database. */
async function count(
  edges: readonly SimulatedEdge[],
  banco: string | null,
): Promise<Pick<ReplicasRun, 'sent' | 'lost' | 'surplus'>> {
  type Counts = Readonly<Record<'numeros' | 'linhas' | 'eventosComLinha' | 'lacunas', number>>
  const found = await runWork<Counts & { uuids: readonly string[] }>('count-program.ts', { banco }, () => {})
  const confirmed = edges.flatMap(({ stored }) => [...stored])
  const inDatabase = new Set(found.uuids)
  const events = found.uuids.length
  return {
    sent: confirmed.length,
    lost: confirmed.filter((uuid) => !inDatabase.has(uuid)).length + (events - found.eventosComLinha),
    surplus: events - confirmed.length + (events - found.numeros) + (found.linhas - events) + found.lacunas,
  }
}
