import { fork } from 'node:child_process'
import { cleanEnv, repositoryRoot } from '@vigia/testing/program'

/** Threads of the file system and of argon2, as in the program of the cloud. */
const THREADS = '32'

export type OnProgress = (fraction: number, title: string) => void

/** Runs a program of the folder `programs` to its end and returns its result. It uses `report.ts`. */
export function runWork<Result>(program: string, task: object, onProgress: OnProgress): Promise<Result> {
  const child = fork(new URL(`programs/${program}`, import.meta.url), [JSON.stringify(task)], {
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
    child.once('exit', (code, signal) => reject(new Error(`${program} ended (${signal ?? code}) without a result`)))
  })
}
