import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Evento } from '@vigia/contracts/eventos'
import { signIn } from '@vigia/testing/api'
import { openBrowser } from '@vigia/testing/browser'
import { freePort } from '@vigia/testing/free-port'
import { cleanEnv, repositoryRoot } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { screens } from './pages.ts'
import { states } from './states.ts'
import { takePictures } from './take-pictures.ts'

/** `npm run screenshots`: every page of the dashboard in every state, at the sizes of phone, laptop and wall. */
const { values } = parseArgs({
  options: { out: { type: 'string' }, only: { type: 'string' }, state: { type: 'string' } },
})
const chosen = {
  screens: screens.filter(({ name }) => name === (values.only ?? name)),
  states: states.filter((state) => state === (values.state ?? state)),
}
if (!values.out || chosen.screens.length === 0 || chosen.states.length === 0) {
  process.stderr.write(
    'Use: npm run screenshots -- --out FOLDER [--only PAGE] [--state STATE]\n' +
      `Pages: ${screens.map(({ name }) => name).join(', ')}\nStates: ${states.join(', ')}\n`,
  )
  process.exit(2)
}
const out = resolve(values.out)
/** Number of alerts that fill the screen of a laptop. */
const ALERTS = 3

const dataDir = await mkdtemp(join(tmpdir(), 'vigia-screenshots-'))
const port = await freePort()
const base = `http://127.0.0.1:${port}`
const operator = { username: 'admin', password: 'demonstracao-de-telas' }
const newcomer = { username: 'novata', password: 'demonstracao-de-telas' }

/** The launcher reports its readiness only on its console. */
const launcher = spawn(process.execPath, ['apps/all-in-one/src/main.ts'], {
  cwd: repositoryRoot,
  env: cleanEnv({
    PORT: String(port),
    VIGIA_MQTT_PORT: String(await freePort()),
    VIGIA_DATA_DIR: dataDir,
    VIGIA_ADMIN_USERNAME: operator.username,
    VIGIA_ADMIN_PASSWORD: operator.password,
    VIGIA_WEBHOOK_PERMITIR: '127.0.0.0/8',
  }),
  stdio: ['ignore', 'pipe', 'inherit'],
})
let output = ''
launcher.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
const ended = new Promise((resolve) => launcher.once('close', resolve))
/** Receives the messages of a canal, so that its deliveries are not empty. */
const receiver = createServer((request, response) => {
  request.resume()
  response.writeHead(204).end()
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const browser = await openBrowser()
try {
  await mkdir(out, { recursive: true })
  await waitFor('“Vigia pronto”', () => output.includes('Vigia pronto'), { timeoutMs: 120_000 })
  const api = await signIn(base, operator.username, operator.password)
  const [demonstration] = await api.get<{ id: number }[]>('/empresas')
  const destino = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/portaria`
  const canal = { empresa_id: demonstration?.id, nome: 'Portaria', tipo: 'webhook', destino }
  const { id: canalId } = await api.call<{ id: number }>('POST', '/notificacoes', canal)
  await waitFor(
    'verified alerts of the demonstration',
    async () => (await api.get<Evento[]>('/events?veredito=confirmado')).length >= ALERTS,
    { timeoutMs: 300_000, everyMs: 1_000 },
  )
  await waitFor(
    'deliveries of a canal',
    async () => (await api.get<unknown[]>(`/notificacoes/${canalId}/entregas`)).length > 0,
    { timeoutMs: 300_000, everyMs: 1_000 },
  )
  const { id } = await api.call<{ id: number }>('POST', '/empresas', { nome: 'Empresa nova' })
  const { username, password: senha } = newcomer
  await api.call('POST', '/usuarios', { username, senha, papel: 'administrador', empresa_id: id })
  for await (const file of takePictures({ browser, base, operator, newcomer, out, ...chosen }))
    process.stdout.write(`${file}\n`)
} finally {
  await browser.close()
  receiver.close()
  launcher.kill('SIGTERM')
  await ended
  await rm(dataDir, { recursive: true, force: true })
}
