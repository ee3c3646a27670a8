import { fork } from 'node:child_process'
import { ChildFailed, openLog } from './child.ts'

/** Runs a program to its end; rejects with `ChildFailed` unless its exit code is 0. */
export async function runToEnd(entry: URL, env: NodeJS.ProcessEnv, logFile: string): Promise<void> {
  const log = await openLog(logFile)
  try {
    await new Promise<void>((resolve, reject) => {
      const child = fork(entry, [], {
        env,
        execArgv: [],
        stdio: ['ignore', log?.fd ?? 'ignore', log?.fd ?? 'ignore', 'ipc'],
      })
      child.once('error', reject)
      child.once('exit', (code, signal) => {
        if (code === 0) resolve()
        else reject(new ChildFailed('preparo', { reason: signal ?? `código ${code}`, silentMs: null }, logFile))
      })
    })
  } finally {
    await log?.close()
  }
}
