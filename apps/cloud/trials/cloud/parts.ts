import { resolve } from 'node:path'
import { repositoryRoot } from '@vigia/testing/program'
import { median } from '@vigia/testing/stats'
import { type AlertRun, measureAlerts } from './alertas.ts'
import { measureEdges } from './edges.ts'
import { findHighest } from './highest.ts'
import { measureList } from './lista.ts'
import { measureLogin } from './login.ts'
import { measureReplicas } from './replicas.ts'
import { cores, type Line, ms, perSecond, whole } from './result.ts'
import { type OnProgress, runWork } from './work.ts'

interface Options {
  readonly banco: 'sqlite' | 'postgres'
  /** Small sizes, which show only that the command works. */
  readonly rapido: boolean
}

type Part = (options: Options, onProgress: OnProgress) => Promise<Line[]>

/** Goals (docs/performance.md, "The cloud under load"). */
const INGEST_RATIO = 0.5
const ALERT_P99_MS = 1_000
/** Share of the sent rate that the cloud must confirm. */
const RATE_SHARE = 0.95
const LIST_P99_MS = 200
const REPLICAS_RATIO = 0.8

const ingestao: Part = async ({ rapido }, onProgress) => {
  const task = rapido ? { rounds: 1, batches: 8 } : { rounds: 5, batches: 100 }
  type Round = Readonly<Record<'ingest' | 'copy' | 'copyAtOnce' | 'rows', number>>
  const rounds = await runWork<Round[]>('ingest-program.ts', task, onProgress)
  const of = (name: keyof Round) => median(rounds.map((round) => round[name]))
  const ratioTo = (name: keyof Round) => median(rounds.map((round) => round.ingest / round[name]))
  const loop = of('copy') > of('copyAtOnce') ? 'copy' : 'copyAtOnce'
  const ratio = ratioTo(loop)
  return [
    {
      medida: 'ingestão durável, lotes de 64 com duas imagens',
      valor: perSecond(of('ingest')),
      meta: `razão ≥ ${INGEST_RATIO}`,
      falhou: ratio < INGEST_RATIO,
      par: `laço com as mesmas linhas e imagens: ${perSecond(of(loop))}`,
      razao: ratio,
    },
    {
      medida: 'a mesma',
      valor: perSecond(of('ingest')),
      par: `só as linhas dos eventos: ${perSecond(of('rows'))}`,
      razao: ratioTo('rows'),
    },
  ]
}

const lista: Part = async ({ rapido }, onProgress) => {
  const folder = resolve(repositoryRoot, process.env.VIGIA_BENCH_DIR ?? '.cache/bench')
  const [small, large] = rapido ? [10_000, 20_000] : [100_000, 10_000_000]
  const rounds = rapido ? 1 : 10
  const peer = await measureList({ folder, events: small, rounds }, onProgress)
  const run = await measureList({ folder, events: large, rounds }, onProgress)
  const size = `${whole(run.events)} eventos, ${(run.bytes / 1e9).toFixed(2).replace('.', ',')} GB`
  const peerName = `${whole(peer.events)} eventos`
  return [
    {
      medida: `lista, ${size}: p50 de ${run.requests} pedidos`,
      valor: ms(run.p50),
      par: `${peerName}: ${ms(peer.p50)}`,
      razao: run.p50 / peer.p50,
    },
    {
      medida: 'a mesma: p99',
      valor: ms(run.p99),
      meta: `≤ ${ms(LIST_P99_MS)}`,
      falhou: run.p99 > LIST_P99_MS,
      par: `${peerName}: ${ms(peer.p99)}`,
      razao: run.p99 / peer.p99,
    },
    {
      medida: 'a mesma: construção dos dados',
      valor: run.buildSeconds === null ? 'de uma medida anterior' : `${whole(run.buildSeconds)} s`,
    },
  ]
}

const isCarried = (run: AlertRun) =>
  run.reached >= run.rate * RATE_SHARE && run.delivered === run.expected && run.p99 <= ALERT_P99_MS

const alertas: Part = async ({ banco, rapido }, onProgress) => {
  const load = rapido
    ? { banco, empresas: 4, clients: 40, seconds: 2 }
    : { banco, empresas: 100, clients: 5_000, seconds: 20 }
  const goal = rapido ? 8 : 100
  return measureAlerts(load, onProgress, async (measure) => {
    const runs = new Map<number, AlertRun>()
    const carries = async (rate: number) => {
      const run = runs.get(rate) ?? (await measure(rate))
      runs.set(rate, run)
      return isCarried(run)
    }
    const search = { from: goal, least: 10, most: 1_600, precision: 0.1 }
    const highest = rapido ? Number(await carries(goal)) * goal : await findHighest(search, carries)
    return [
      ...[...new Set([goal, highest])].flatMap((rate) => linesOf(runs.get(rate), load.clients)),
      {
        medida: 'maior taxa com tudo entregue a tempo',
        valor: perSecond(highest),
        meta: `≥ ${perSecond(goal)}`,
        falhou: highest < goal,
      },
    ]
  })
}

function linesOf(run: AlertRun | undefined, clients: number): Line[] {
  if (run === undefined) return []
  const what = `${whole(clients)} clientes SSE, ${whole(run.rate)} alertas/s`
  const lost = run.expected - run.delivered
  return [
    { medida: `${what}: perdidos`, valor: `${lost} de ${whole(run.expected)}`, meta: '0', falhou: lost > 0 },
    {
      medida: `${what}: veredito a cliente, p50 e p99`,
      valor: `${ms(run.p50)}, ${ms(run.p99)}`,
      meta: `p99 ≤ ${ms(ALERT_P99_MS)}`,
      falhou: !(run.p99 <= ALERT_P99_MS),
    },
    {
      medida: `${what}: entregues até o último`,
      valor: `${run.reached.toFixed(1).replace('.', ',')}/s`,
      par: `enviados: ${perSecond(run.rate)}`,
      razao: run.reached / run.rate,
    },
    { medida: `${what}: núcleos em uso`, valor: cores(run.cores) },
  ]
}

const replicas: Part = async ({ rapido }, onProgress) => {
  const load = rapido ? { edges: 8, batches: 1, pairs: 1 } : { edges: 32, batches: 8, pairs: 4 }
  const run = await measureReplicas(load, onProgress)
  return [
    {
      medida: 'ingestão pelo broker no PostgreSQL, dois processos da central',
      valor: perSecond(run.two),
      meta: `razão ≥ ${REPLICAS_RATIO}`,
      falhou: run.ratio < REPLICAS_RATIO,
      par: `um processo: ${perSecond(run.one)}`,
      razao: run.ratio,
    },
    {
      medida: 'a mesma: registros perdidos',
      valor: `${run.lost} de ${whole(run.sent)}`,
      meta: '0',
      falhou: run.lost > 0,
    },
    { medida: 'a mesma: repetidos ou a mais', valor: String(run.surplus), meta: '0', falhou: run.surplus !== 0 },
    { medida: 'a mesma, um processo: núcleos em uso', valor: cores(run.coresOne) },
    { medida: 'a mesma, dois processos: núcleos em uso', valor: cores(run.coresTwo) },
  ]
}

const edges: Part = async ({ banco, rapido }, onProgress) => {
  const run = await measureEdges(
    { banco, ...(rapido ? { edges: 20, seconds: 5 } : { edges: 5_000, seconds: 60 }) },
    onProgress,
  )
  return [
    {
      medida: `edges conectados, com relato a cada 5 s: online no fim`,
      valor: whole(run.online),
      meta: whole(run.edges),
      falhou: run.online < run.edges,
    },
    { medida: 'os mesmos: conexões perdidas', valor: String(run.lost), meta: '0', falhou: run.lost > 0 },
    { medida: 'os mesmos: todos conectados em', valor: `${run.connectSeconds.toFixed(1).replace('.', ',')} s` },
    {
      medida: 'os mesmos: relatos respondidos',
      valor: whole(run.answered),
      par: `enviados: ${whole(run.sent)}`,
      razao: run.answered / run.sent,
    },
    { medida: 'os mesmos: relato a resposta, p50 e p99', valor: `${ms(run.p50)}, ${ms(run.p99)}` },
  ]
}

const login: Part = async ({ banco, rapido }, onProgress) => {
  const run = await measureLogin({ banco, seconds: rapido ? 1 : 10 }, onProgress)
  return [
    {
      medida: 'entradas com senha',
      valor: perSecond(run.logins),
      par: `argon2 sozinho: ${perSecond(run.passwords)}`,
      razao: run.logins / run.passwords,
    },
    {
      medida: 'pedidos com token de sessão',
      valor: perSecond(run.tokens),
      par: `/healthz sem token: ${perSecond(run.open)}`,
      razao: run.tokens / run.open,
    },
  ]
}

/** The measurements by their option, in the order in which they run. */
export const parts = { ingestao, lista, alertas, edges, login, replicas } as const satisfies Record<string, Part>
export type PartName = keyof typeof parts
