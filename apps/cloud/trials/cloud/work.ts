import { fork } from 'node:child_process'
import { join } from 'node:path'
import { cleanEnv, repositoryRoot } from '@vigia/testing/program'

/** Threads of the file system and of argon2, as in the program of the cloud. */
const THREADS = '32'

export type OnProgress = (fraction: number, title: string) => void

/** Runs a program of the cloud that uses `bench/report.ts` to its end and returns its result. */
export function runWork<Result>(entry: string, task: object, onProgress: OnProgress): Promise<Result> {
  const child = fork(join(repositoryRoot, 'apps/cloud/src', entry), [JSON.stringify(task)], {
    cwd: repositoryRoot,
    env: cleanEnv({ UV_THREADPOOL_SIZE: THREADS }),
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return new Promise((resolve, reject) => {
    child.on('message', (message: { fracao?: number; titulo?: string; resultado?: Result }) => {
      if ('resultado' in message) resolve(message.resultado as Result)
      else onProgress(message.fracao ?? 0, message.titulo ?? '')
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => reject(new Error(`${entry} ended (${signal ?? code}) without a result`)))
  })
}
