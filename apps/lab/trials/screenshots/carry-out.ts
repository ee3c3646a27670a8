import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Evento } from '@vigia/contracts/eventos'
import { signIn } from '@vigia/testing/api'
import { openBrowser } from '@vigia/testing/browser'
import { freePort } from '@vigia/testing/free-port'
import { cleanEnv, repositoryRoot } from '@vigia/testing/program'
import { type Result, type TrialOutput, WrongCall } from '@vigia/testing/trial'
import { waitFor } from '@vigia/testing/wait'
import type { z } from 'zod'
import { guidePictures } from './guide-pictures.ts'
import { screens } from './pages.ts'
import { states } from './states.ts'
import { takePictures } from './take-pictures.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** Number of alerts that fill the screen of a laptop. */
const ALERTS = 3
const operator = { username: 'admin', password: 'demonstracao-de-telas' }
const newcomer = { username: 'novata', password: 'demonstracao-de-telas' }

/** Runs `npm start` with its demonstration, waits for alerts and takes the pictures. */
export async function carryOut({ out, guides, only, state }: Options, { print }: TrialOutput): Promise<Result> {
  if ((out === undefined) !== guides) throw new WrongCall('either --out FOLDER or --guides')
  const folder = out === undefined ? null : resolve(out)
  const shown = guidePictures()
  const filesOf = (picture: string): string[] =>
    folder === null
      ? shown.filter((one) => one.picture === picture).map(({ file }) => join(repositoryRoot, file))
      : [join(folder, `${picture}.jpg`)]
  const dataDir = await mkdtemp(join(tmpdir(), 'vigia-screenshots-'))
  const painel = buildWithWidgets(dataDir)
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  /** The launcher reports its readiness only on its console. */
  const launcher = spawn(process.execPath, ['apps/all-in-one/src/main.ts'], {
    cwd: repositoryRoot,
    env: cleanEnv({
      PORT: String(port),
      VIGIA_MQTT_PORT: String(await freePort()),
      VIGIA_DATA_DIR: dataDir,
      VIGIA_PAINEL_DIR: painel,
      VIGIA_ADMIN_USERNAME: operator.username,
      VIGIA_ADMIN_PASSWORD: operator.password,
      VIGIA_WEBHOOK_PERMITIR: '127.0.0.0/8',
    }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  launcher.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise((done) => launcher.once('close', done))
  /** Receives the messages of a canal, so that its deliveries are not empty. */
  const receiver = createServer((request, response) => {
    request.resume()
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const browser = await openBrowser()
  try {
    if (folder !== null) await mkdir(folder, { recursive: true })
    await waitFor('“Vigia pronto”', () => output.includes('Vigia pronto'), { timeoutMs: 120_000 })
    await fillPages(base, (receiver.address() as AddressInfo).port)
    const pictures = takePictures({
      browser,
      base,
      operator,
      newcomer,
      filesOf,
      screens: screens.filter(({ name }) => name === (only ?? name)),
      states: states.filter((one) => one === (state ?? one)),
    })
    for await (const file of pictures) print(file)
    return { passed: true }
  } finally {
    await browser.close()
    receiver.close()
    launcher.kill('SIGTERM')
    await ended
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Builds the dashboard with its page `/ui` below `folder` and returns where it lies. */
function buildWithWidgets(folder: string): string {
  const out = join(folder, 'painel')
  const { status } = spawnSync('npx', ['vite', 'build', '--mode', 'screenshots', '--outDir', out], {
    cwd: join(repositoryRoot, 'apps/dashboard'),
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new Error('the dashboard was not built')
  return out
}

/** Creates a canal and an empty Empresa, and waits for alerts and deliveries. `port`: of the receiver. */
async function fillPages(base: string, port: number): Promise<void> {
  const api = await signIn(base, operator.username, operator.password)
  const [demonstration] = await api.get<{ id: number }[]>('/empresas')
  const destino = `http://127.0.0.1:${port}/portaria`
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
}
