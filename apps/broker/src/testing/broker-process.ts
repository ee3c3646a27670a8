import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { cleanEnv } from '@vigia/testing/program'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** For tests: the broker as the process that it is. */
export interface BrokerProcess {
  readonly child: ChildProcess
  readonly output: { out: string; err: string }
  /** Resolves with code and signal once it has ended and all its output is here. */
  readonly exit: Promise<unknown[]>
  /** The port, once it is ready. */
  ready(): Promise<number>
}

export function startBrokerProcess(dataDir: string, environment: NodeJS.ProcessEnv = {}): BrokerProcess {
  const child = fork(main, {
    // A fork inherits the test runner's own flags, which are not the product's.
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
