import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { cleanEnv } from '@vigia/testing/program'
import { clientOf } from '../../src/test/clients/client.ts'
import { ASKS_EDGE, NO_RECORD } from './exceptions.ts'
import type { Read } from './read-routes.ts'

/** Longest processor time of the cloud's thread without a turn of the event loop. */
export const MOST_CPU_MS = 50
/** The best round counts: the first one compiles code, and a collection of the heap may fall into one. */
const ROUNDS = 3
const START_MS = 300_000

export interface Walked extends Read {
  readonly status: number
  readonly cpuMs: number
}

interface Ready {
  readonly pronto: true
  readonly url: string
  readonly tokens: Readonly<Record<string, string>>
  readonly reads: readonly Read[]
  readonly skipped: readonly string[]
}

interface WalkOptions {
  /** Only paths that contain this text; empty: all. */
  readonly only?: string
  readonly onRead?: (walked: Walked) => void
}

/** Asks for every GET of a cloud on `dataDir`, one after the other, after a time without requests. */
export async function walkReads(dataDir: string, { only = '', onRead = () => {} }: WalkOptions = {}) {
  const child = fork(new URL('./measured-cloud.ts', import.meta.url), {
    env: cleanEnv({ VIGIA_DATA_DIR: dataDir }),
    execArgv: [],
  })
  try {
    const ready = (await message(child, 'pronto', START_MS)) as unknown as Ready
    const walked: Walked[] = []
    if (only === '') walked.push(await measureRest(child))
    for (const read of ready.reads.filter(({ path }) => path.includes(only))) {
      walked.push(await measure(child, ready, read))
      onRead(walked.at(-1) as Walked)
    }
    return { walked, skipped: ready.skipped }
  } finally {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
}

/** Several periods of what the cloud does by itself. */
const REST_MS = 5_000

/** The longest stretch of the thread while nobody asks for anything. */
async function measureRest(child: ChildProcess): Promise<Walked> {
  const cpuMs = await longestStretch(child, () => setTimeout(REST_MS))
  return { route: 'nothing', path: 'nothing', status: 200, cpuMs }
}

/** Longest stretch of the cloud's thread without a turn during `act`, ms of processor time. */
async function longestStretch(child: ChildProcess, act: () => Promise<unknown>): Promise<number> {
  const begun = message(child, 'medindo')
  child.send('inicio')
  await begun
  await act()
  const ended = message(child, 'longestUs')
  child.send('fim')
  return Number((await ended).longestUs) / 1_000
}

async function measure(child: ChildProcess, { url, tokens }: Ready, read: Read): Promise<Walked> {
  let status = 0
  let best = Number.POSITIVE_INFINITY
  // A route of the operator answers others 403 or 404.
  for (const token of Object.values(tokens)) {
    best = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUNDS; round += 1) {
      const cpuMs = await longestStretch(child, async () => {
        ;({ status } = await clientOf(url, token).send('GET', read.path))
      })
      best = Math.min(best, cpuMs)
      if (best <= MOST_CPU_MS / 2) break
    }
    if (status !== 403 && status !== 404) break
  }
  return { ...read, status, cpuMs: best }
}

/** Routes above the bound, and routes of which no request was answered as it should be: they need other values. */
export function findFaults(walked: readonly Walked[]): string[] {
  const faults = walked
    .filter(({ cpuMs }) => cpuMs > MOST_CPU_MS)
    .map(({ cpuMs, path }) => `${cpuMs.toFixed(0)} ms of the thread without a turn: GET ${path}`)
  for (const [route, reads] of Map.groupBy(walked, (one) => one.route))
    if (!reads.some(({ status }) => status < 400 || mayFail(route, status)))
      faults.push(`answered ${reads.map(({ status }) => status).join(', ')} alone: GET ${route}`)
  return faults
}

function mayFail(route: string, status: number): boolean {
  if (ASKS_EDGE.includes(route)) return [404, 409, 503].includes(status)
  return status === 404 && route.split('/').some((segment) => NO_RECORD.includes(segment))
}

async function message(child: ChildProcess, name: string, ms = 120_000): Promise<Readonly<Record<string, unknown>>> {
  const signal = AbortSignal.timeout(ms)
  for (;;) {
    const [received] = (await once(child, 'message', { signal })) as [Readonly<Record<string, unknown>>]
    if (name in received) return received
  }
}
