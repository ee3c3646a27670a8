import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { RELATO_S, type Relato } from '@vigia/contracts/edge-state'
import { certificateSha256 } from '@vigia/link/pki/fingerprint'
import { signIn } from '@vigia/testing/api'
import { OPERATOR } from '@vigia/testing/installation'
import { percentile } from '@vigia/testing/stats'
import { waitFor } from '@vigia/testing/wait'
import { createSimulatedEdge } from './simulated-edge.ts'
import { openStage } from './stage.ts'
import type { OnProgress } from './work.ts'

export interface EdgesRun {
  readonly edges: number
  /** Edges that the cloud shows as online at the end. */
  readonly online: number
  readonly connectSeconds: number
  /** Reports sent and answered in the measured time. */
  readonly sent: number
  readonly answered: number
  /** Time from a report to its answer, ms. */
  readonly p50: number
  readonly p99: number
  /** Connections that ended in the measured time. */
  readonly lost: number
}

/** TLS handshakes at the same time. */
const CONNECTING = 32
/** Longest wait for the answers of the last reports. */
const REST_MS = 15_000

/** Connects `edges` edges and sends a report of each, every `RELATO_S` seconds, for `seconds`. */
export async function measureEdges(
  { banco, edges: count, seconds }: { banco: 'sqlite' | 'postgres'; edges: number; seconds: number },
  onProgress: OnProgress,
): Promise<EdgesRun> {
  const empresas = Math.min(100, count)
  const shape = { banco, empresas, loginsPerEmpresa: 1, edgesPerEmpresa: Math.ceil(count / empresas), confirms: false }
  const stage = await openStage(shape, onProgress)
  const seeded = stage.empresas.flatMap((empresa) => empresa.edges).slice(0, count)
  const edges: ReturnType<typeof createSimulatedEdge>[] = []
  try {
    const begun = performance.now()
    const left = [...seeded]
    const lane = async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        const edge = createSimulatedEdge(next, stage.mqttUrl)
        edges.push(edge)
        await waitFor('an edge to connect', () => edge.link.connected, { timeoutMs: 60_000, everyMs: 10 })
        onProgress(edges.length / count, `${edges.length} edges conectados`)
      }
    }
    await Promise.all(Array.from({ length: CONNECTING }, lane))
    const connectSeconds = (performance.now() - begun) / 1000
    const delays: number[] = []
    let lost = 0
    for (const { link } of edges) {
      link.onEcho(({ t1 }) => delays.push(Date.now() - t1))
      link.onConnection((connected) => {
        if (!connected) lost += 1
      })
    }
    const sent = await report(
      edges,
      seeded.map(({ identity }) => identity.cert),
      seconds,
      onProgress,
    )
    await waitFor('the last answers', () => delays.length >= sent, { timeoutMs: REST_MS }).catch(() => {})
    const operator = await signIn(stage.base, OPERATOR.username, OPERATOR.password)
    const listed = await operator.get<readonly { status: string }[]>('/edges')
    const online = listed.filter(({ status }) => status === 'online').length
    const times = { p50: percentile(delays, 0.5), p99: percentile(delays, 0.99) }
    return { edges: count, online, connectSeconds, sent, answered: delays.length, ...times, lost }
  } finally {
    await Promise.all(edges.map((edge) => edge.stop()))
    await stage.close()
  }
}

/** Sends the reports evenly over time. Returns their number. */
async function report(
  edges: readonly ReturnType<typeof createSimulatedEdge>[],
  certificates: readonly string[],
  seconds: number,
  onProgress: OnProgress,
): Promise<number> {
  const reports = edges.map(
    (_, at): Omit<Relato, 'enviado_em'> => ({
      v: 1,
      config_versao: 1,
      versao: '0.1.0',
      instancia: randomUUID(),
      cameras: [],
      fila: 0,
      fila_memoria: 0,
      relogio: { desvio_ms: 0, sincronizado: true },
      certificado: { sha256: certificateSha256(certificates[at] ?? ''), vence_em: Date.now() + 86_400_000 * 800 },
      disco_gravavel: true,
      disco: null,
      memoria: null,
      cpu: null,
      temperatura: null,
    }),
  )
  const begun = performance.now()
  const intervalMs = RELATO_S * 1000
  let sent = 0
  for (let round = 0; round < seconds / RELATO_S; round += 1)
    for (const [at, edge] of edges.entries()) {
      const due = begun + (round + at / edges.length) * intervalMs - performance.now()
      if (due > 1) await delay(due)
      const relato = { ...(reports[at] as Omit<Relato, 'enviado_em'>), enviado_em: Date.now() }
      await edge.link.publishReport(relato).then(
        () => (sent += 1),
        () => {},
      )
      if (at % 100 === 0) onProgress((round * intervalMs) / (seconds * 1000), 'relatos')
    }
  return sent
}
