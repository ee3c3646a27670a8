import { type ChildProcess, fork } from 'node:child_process'
import { endFirst } from '@vigia/runtime/process-memory'

/** Settings passed to a child process. Codes and passwords of the main process are excluded. */
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE', 'VIGIA_LOG_LEVEL']

/**
 * Starts a program of the edge in a process of its own, with a channel that keeps binary data binary. The
 * kernel ends it before the main process when memory runs out.
 */
export function forkChild(entry: URL, settings: Readonly<Record<string, string>> = {}): ChildProcess {
  const child = fork(entry, [], {
    serialization: 'advanced',
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      ...Object.fromEntries(PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
      ...settings,
    },
  })
  endFirst(child.pid)
  return child
}
