import { fork } from 'node:child_process'
import { open } from 'node:fs/promises'
import { ChildFailed } from './child.ts'

/** Runs a program that ends by itself; rejects with `ChildFailed` when it ends with anything but 0. */
export async function runToEnd(entry: URL, env: NodeJS.ProcessEnv, logFile: string): Promise<void> {
  const log = await open(logFile, 'a', 0o600)
  try {
    await new Promise<void>((resolve, reject) => {
      const child = fork(entry, [], { env, execArgv: [], stdio: ['ignore', log.fd, log.fd, 'ipc'] })
      child.once('error', reject)
      child.once('exit', (code, signal) => {
        if (code === 0) resolve()
        else reject(new ChildFailed('preparo', { reason: signal ?? `código ${code}`, silentMs: null }, logFile))
      })
    })
  } finally {
    await log.close()
  }
}
