import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { cleanEnv } from '@vigia/testing/program'
import { LOOPBACK_ALLOWED } from '../../src/test/own-records.ts'
import { ADMIN } from '../../src/test/test-app.ts'
import { runFuzz } from './run.ts'
import { attachTarget } from './target.ts'

/**
 * `npm run memory -- [--requests 50000]`: three runs of requests of all kinds against one cloud process. After each run
 * it prints heap and resident memory after a forced collection. The exit status is 0 when the third run ends at most 10
 * % above the second.
 */
const { values } = parseArgs({ options: { requests: { type: 'string', default: '50000' } } })
const requests = Number(values.requests)
const RUNS = 3
const GROWTH_MAX = 1.1
interface Memory {
  readonly heapUsed: number
  readonly rss: number
  readonly external: number
}

const dataDir = await mkdtemp(join(tmpdir(), 'vigia-memory-'))
await ensureInstallationPki({ dir: dataDir, brokerHosts: [] })
const cloud = fork(new URL('../../src/test/measured-cloud.ts', import.meta.url), [], {
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
const { porta } = await answer<{ porta?: number }>(cloud, (message) => 'porta' in message)
const target = await attachTarget(`http://127.0.0.1:${porta}`, dataDir, ADMIN.password)
const seen: Memory[] = [await measure()]
print('start', seen[0])
for (let run = 1; run <= RUNS; run += 1) {
  await runFuzz(target, { requests, seed: run, least: 1, answerMs: 60_000 }, (sent, total) => {
    if (process.stderr.isTTY) process.stderr.write(`\rrun ${run}: ${sent} of ${total} requests `)
  })
  seen.push(await measure())
  print(`run ${run} of ${requests} requests`, seen.at(-1))
}
cloud.kill('SIGTERM')
await rm(dataDir, { recursive: true, force: true })
const [, , second, third] = seen
const growth = (third?.rss ?? 0) / (second?.rss ?? 1)
console.log(`third run against the second: ${growth.toFixed(2)} (at most ${GROWTH_MAX})`)
process.exit(growth <= GROWTH_MAX ? 0 : 1)

async function measure(): Promise<Memory> {
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

function print(when: string, memory: Memory | undefined): void {
  const mb = (bytes: number | undefined) => `${((bytes ?? 0) / 1024 ** 2).toFixed(0)} MB`
  console.log(`${when}: resident ${mb(memory?.rss)}, heap ${mb(memory?.heapUsed)}, external ${mb(memory?.external)}`)
}
