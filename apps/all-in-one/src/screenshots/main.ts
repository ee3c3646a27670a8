import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Evento } from '@vigia/contracts/eventos'
import { signIn } from '@vigia/testing/api'
import { openBrowser } from '@vigia/testing/browser'
import { freePort } from '@vigia/testing/free-port'
import { cleanEnv, repositoryRoot } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { takePictures } from './pages.ts'

const { values } = parseArgs({ options: { out: { type: 'string' } } })
if (!values.out) {
  process.stderr.write('Use: npm run screenshots -- --out docs/pt/imagens\n')
  process.exit(2)
}
const out = resolve(values.out)
/** Enough alerts to fill the wall screen. */
const ALERTS = 3

const dataDir = await mkdtemp(join(tmpdir(), 'vigia-screenshots-'))
const port = await freePort()
const base = `http://127.0.0.1:${port}`
const operator = { username: 'admin', password: 'demonstracao-de-telas' }

/** The launcher prints its readiness only on the console. */
const launcher = spawn(process.execPath, ['apps/all-in-one/src/main.ts'], {
  cwd: repositoryRoot,
  env: cleanEnv({
    PORT: String(port),
    VIGIA_MQTT_PORT: String(await freePort()),
    VIGIA_DATA_DIR: dataDir,
    VIGIA_ADMIN_USERNAME: operator.username,
    VIGIA_ADMIN_PASSWORD: operator.password,
  }),
  stdio: ['ignore', 'pipe', 'inherit'],
})
let output = ''
launcher.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
const ended = new Promise((resolve) => launcher.once('close', resolve))
const browser = await openBrowser()
try {
  await mkdir(out, { recursive: true })
  await waitFor('“Vigia pronto”', () => output.includes('Vigia pronto'), { timeoutMs: 120_000 })
  const api = await signIn(base, operator.username, operator.password)
  await waitFor(
    'verified alerts of the demonstration',
    async () => (await api.get<Evento[]>('/events?veredito=confirmado')).length >= ALERTS,
    { timeoutMs: 300_000, everyMs: 1_000 },
  )
  for (const file of await takePictures({ browser, base, operator, out })) process.stdout.write(`${file}\n`)
} finally {
  await browser.close()
  launcher.kill('SIGTERM')
  await ended
  await rm(dataDir, { recursive: true, force: true })
}
