import { type ChildProcess, fork } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { cleanEnv } from '@vigia/testing/program'
import { temporaryDiskFolder } from '@vigia/testing/temporary-folder'
import type { Result, Row, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import { ADMIN } from '../../src/test/clouds/test-app.ts'
import { LOOPBACK_ALLOWED } from '../../src/test/records/own-records.ts'
import { runFuzz } from '../fuzz/run.ts'
import { attachTarget } from '../fuzz/target.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

const RUNS = 3
const GROWTH_MAX = 1.1

interface Memory {
  readonly heapUsed: number
  readonly rss: number
  readonly external: number
}

/** Sends the requests of the fuzz trial, and measures after a forced collection. */
export async function carryOut({ requests }: Options, { print, progress }: TrialOutput): Promise<Result> {
  const dataDir = temporaryDiskFolder('vigia-memory-')
  await ensureInstallationPki({ dir: dataDir, brokerHosts: [] })
  const cloud = startCloud(dataDir)
  try {
    const { porta } = await answer<{ porta?: number }>(cloud, (message) => 'porta' in message)
    const target = await attachTarget(`http://127.0.0.1:${porta}`, dataDir, ADMIN.password)
    const seen: Memory[] = [await measure(cloud)]
    for (let run = 1; run <= RUNS; run += 1) {
      await runFuzz(target, { requests, seed: run, least: 1, answerMs: 60_000 }, (sent, total) =>
        progress((run - 1 + sent / total) / RUNS, `run ${run}: ${sent} of ${total} requests`),
      )
      seen.push(await measure(cloud))
    }
    const [, , second, third] = seen
    const growth = (third?.rss ?? 0) / (second?.rss ?? 1)
    print(`third run against the second: ${growth.toFixed(2)} (at most ${GROWTH_MAX})`)
    const rows = seen.map((memory, run) => toRow(run === 0 ? 'start' : `run ${run} of ${requests} requests`, memory))
    return { passed: growth <= GROWTH_MAX, rows }
  } finally {
    cloud.kill('SIGTERM')
    await rm(dataDir, { recursive: true, force: true })
  }
}

const startCloud = (dataDir: string): ChildProcess =>
  fork(new URL('../../src/test/measured-cloud.ts', import.meta.url), [], {
    execArgv: ['--expose-gc'],
    env: cleanEnv({
      PORT: '0',
      VIGIA_DATA_DIR: dataDir,
      VIGIA_MQTT_URL: 'mqtts://127.0.0.1:1',
      VIGIA_ADMIN_PASSWORD: ADMIN.password,
      VIGIA_LOG_LEVEL: 'fatal',
      ...LOOPBACK_ALLOWED,
    }),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })

async function measure(cloud: ChildProcess): Promise<Memory> {
  const measured = answer<{ memory: Memory }>(cloud, (message) => 'memory' in message)
  cloud.send('memory')
  return (await measured).memory
}

function answer<T>(from: ChildProcess, isIt: (message: object) => boolean): Promise<T> {
  return new Promise((resolve, reject) => {
    const hear = (message: object) => {
      if (!isIt(message)) return
      from.off('message', hear)
      resolve(message as T)
    }
    from.on('message', hear)
    from.once('exit', (code, signal) => reject(new Error(`the cloud ended: ${signal ?? code}`)))
  })
}

function toRow(after: string, { rss, heapUsed, external }: Memory): Row {
  const mb = (bytes: number) => Math.round(bytes / 1024 ** 2)
  return { after, 'resident, MB': mb(rss), 'heap, MB': mb(heapUsed), 'external, MB': mb(external) }
}
