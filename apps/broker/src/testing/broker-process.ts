import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { cleanEnv } from '@vigia/testing/program'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** Test fixture: the broker as a process. */
export interface BrokerProcess {
  readonly child: ChildProcess
  readonly output: { out: string; err: string }
  /** Resolves with code and signal after the end of the process and of its output. */
  readonly exit: Promise<unknown[]>
  /** Resolves with the port at readiness. */
  ready(): Promise<number>
}

export function startBrokerProcess(dataDir: string, environment: NodeJS.ProcessEnv = {}): BrokerProcess {
  const child = fork(main, {
    // Without this a fork inherits the flags of the test runner.
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...cleanEnv({ VIGIA_DATA_DIR: dataDir, VIGIA_MQTT_PORT: '0' }), ...environment },
  })
  const output = { out: '', err: '' }
  child.stdout?.on('data', (chunk) => {
    output.out += chunk
  })
  child.stderr?.on('data', (chunk) => {
    output.err += chunk
  })
  const exit = once(child, 'close')
  return {
    child,
    output,
    exit,
    ready: async () => {
      const ended = exit.then(() => Promise.reject(new Error(`the broker ended: ${output.err}`)))
      const [message] = await Promise.race([once(child, 'message'), ended])
      if (message?.pronto !== true) throw new Error(`not a ready message: ${JSON.stringify(message)}`)
      return message.porta
    },
  }
}
