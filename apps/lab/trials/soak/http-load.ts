import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Installation } from '@vigia/testing/installation'
import { OPERATOR } from '@vigia/testing/installation'
import { cleanEnv, repositoryRoot } from '@vigia/testing/program'

export interface HttpLoad {
  /** Rejects when the load finds a fault and ends, with the last lines of its report. */
  readonly failed: Promise<never>
  stop(): Promise<void>
}

/** More than any run needs, so that the load ends with the run. */
const REQUESTS = 100_000_000
const LAB = join(repositoryRoot, 'apps/lab/src/main.ts')

/** Requests to every route as every kind of caller, valid and invalid, until it is stopped (the trial fuzz). */
export function startHttpLoad({ base, dataDir }: Installation, seed: number): HttpLoad {
  // `--seed=` also takes a negative number.
  const args = ['fuzz', '--at', base, '--data-dir', dataDir, '--requests', String(REQUESTS), `--seed=${seed}`]
  const child = spawn(process.execPath, [LAB, ...args], {
    env: cleanEnv({ VIGIA_ADMIN_PASSWORD: OPERATOR.password }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-3_000)
    })
  let stopped = false
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  return {
    failed: ended.then(() =>
      stopped ? new Promise<never>(() => {}) : Promise.reject(new Error(`HTTP load: ${output}`)),
    ),
    async stop() {
      stopped = true
      child.kill('SIGKILL')
      await ended
    },
  }
}
