import { execFile, spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from '@vigia/testing/free-port'
import { cleanEnv, repositoryRoot } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'

const START_MS = 900_000
const STOP_MS = 30_000

/** Clones the last commit of this repository into `dir`, without the network. */
export async function cloneRepository(dir: string): Promise<void> {
  await promisify(execFile)('git', ['clone', '--quiet', repositoryRoot, dir])
}

/** `npm start` in its own process group. */
export interface NpmStart {
  readonly base: string
  output(): string
  /** Resolves when the output contains `text`. */
  printed(text: string): Promise<void>
  /** Ends the group as Ctrl-C does. */
  stop(): Promise<void>
}

/** Runs the command of the README in `dir`, with free ports and the data in `dataDir`. */
export async function npmStart(dir: string, dataDir: string): Promise<NpmStart> {
  const port = await freePort()
  // The Node of the machine, as in a new clone.
  const path = (process.env.PATH ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
  const child = spawn('npm', ['start'], {
    cwd: dir,
    env: {
      ...cleanEnv({
        PATH: path.join(':'),
        PORT: String(port),
        VIGIA_MQTT_PORT: String(await freePort()),
        VIGIA_DATA_DIR: dataDir,
        // The recorder of the measurement is on this machine.
        VIGIA_SONDAGEM_PERMITIR: '127.0.0.1/32',
        npm_config_prefer_offline: 'true',
      }),
      NODE_COMPILE_CACHE: undefined,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  let ended = false
  const exited = new Promise<void>((resolve) => {
    const end = () => {
      ended = true
      resolve()
    }
    child.once('error', end)
    child.once('close', end)
  })
  const signal = (name: NodeJS.Signals) => {
    if (!ended && child.pid !== undefined) process.kill(-child.pid, name)
  }
  // Before the folder of its data is removed.
  process.prependOnceListener('exit', () => signal('SIGKILL'))
  return {
    base: `http://127.0.0.1:${port}`,
    output: () => output,
    async printed(text) {
      await waitFor(text, () => ended || output.includes(text), { timeoutMs: START_MS, everyMs: 20 })
      if (!output.includes(text)) throw new Error(`npm start ended before “${text}”:\n${output.slice(-3000)}`)
    },
    async stop() {
      signal('SIGINT')
      await Promise.race([exited, wait(STOP_MS, undefined, { ref: false })])
      signal('SIGKILL')
      await exited
    },
  }
}
