import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { type Api, signIn } from '@vigia/testing/api'
import { openBrowser } from '@vigia/testing/browser'
import { freePort } from '@vigia/testing/free-port'
import { cloudEnv, OPERATOR } from '@vigia/testing/installation'
import { startProgram } from '@vigia/testing/program'
import { temporaryDiskFolder } from '@vigia/testing/temporary-folder'
import { fillScreens } from './fill-store.ts'
import { type Request, type Screen, type Times, timePaint, timeRequests, timesOf } from './measure.ts'
import { BUSY_CAMERA, EMPRESAS } from './sizes.ts'

/**
 * `npm run bench:telas -- [--eventos 1000000] [--pasta FOLDER] [--so-preparar]`: fills a data folder with 500 cameras
 * and the events, and measures list, search, timeline and mosaic at the server and in Chromium. `--pasta` keeps the
 * folder for the next run. The exit code is 0 when the 95th percentile of every screen is below its limit.
 */
const { values } = parseArgs({
  options: {
    eventos: { type: 'string', default: '1000000' },
    pasta: { type: 'string' },
    'so-preparar': { type: 'boolean', default: false },
  },
})
const total = Number(values.eventos)
if (!(Number.isInteger(total) && total >= 10_000 && total <= 5_000_000)) {
  console.error('--eventos is a number from 10000 to 5000000: npm run bench:telas -- --eventos 1000000')
  process.exit(2)
}

const SERVER_MS = 200
const PAINT_MS = 500
/** A report reads every event of its period, in steps that let other requests pass. */
const REPORT_MS = 2_000
const ROUNDS = 4
const PAINTS = 10
const DAY_MS = 86_400_000
const PASSWORD = 'senha-da-medida-1'

const folder = values.pasta === undefined ? temporaryDiskFolder('vigia-telas-') : resolve(values.pasta)
const database = join(folder, 'cloud/vigia.db')
const now = Date.now()
const log = (text: string) => process.stderr.write(`${text}\n`)

if (!existsSync(database)) {
  await mkdir(join(folder, 'cloud'), { recursive: true, mode: 0o700 })
  await ensureInstallationPki({ dir: folder, brokerHosts: [] })
  await fillScreens(database, total, now, log)
}
if (values['so-preparar']) process.exit(0)

const port = await freePort()
const base = `http://127.0.0.1:${port}`
const program = await startProgram({
  entry: 'apps/cloud/src/main.ts',
  env: { ...cloudEnv, VIGIA_DATA_DIR: folder, PORT: String(port), VIGIA_EDGE_LOCAL: '0', VIGIA_LOG_LEVEL: 'warn' },
  readyMs: 300_000,
})
let ok = true
try {
  const operator = await signIn(base, OPERATOR.username, OPERATOR.password)
  const callers = {
    operador: operator,
    integradora: await login(operator, 1),
    // The Empresa of the busy camera.
    empresa: await login(operator, EMPRESAS / 2),
  }
  console.log(`${total} events, 500 cameras, ${cpus().length} × ${cpus()[0]?.model ?? '?'}`)
  console.log('| screen | caller | median, ms | p95, ms | max, ms | limit, ms | p95 / limit |')
  console.log('|---|---|---:|---:|---:|---:|---:|')
  for (const [screen, paths] of Object.entries(requests()))
    for (const [caller, api] of Object.entries(callers)) {
      const { durations, slowest } = await timeRequests(api, paths, ROUNDS)
      report(timesOf(`${screen}, server | ${caller}`, durations), screen === 'report' ? REPORT_MS : SERVER_MS)
      log(`slowest: ${decodeURIComponent(slowest)}`)
    }
  await paint(callers.integradora)
} finally {
  await program.stop()
  if (values.pasta === undefined) await rm(folder, { recursive: true, force: true })
}
process.exit(ok ? 0 : 1)

function report({ name, median, p95, max }: Times, limitMs: number): void {
  if (!(p95 <= limitMs)) ok = false
  const cells = [median, p95, max].map((value) => value.toFixed(0))
  console.log(`| ${name} | ${cells.join(' | ')} | ${limitMs} | ${(p95 / limitMs).toFixed(2)} |`)
}

async function login(by: Api, empresaId: number): Promise<Api> {
  const username = `medida-${empresaId}-${now}`
  const usuario = { username, senha: PASSWORD, papel: 'administrador', empresa_id: empresaId }
  await by.call('POST', '/usuarios', usuario)
  return signIn(base, username, PASSWORD)
}

/** Requests of each screen, the worst filters among them. */
function requests(): Readonly<Record<string, readonly Request[]>> {
  const iso = (daysAgo: number) => encodeURIComponent(new Date(now - daysAgo * DAY_MS).toISOString())
  const month = `desde=${iso(60)}&ate=${iso(30)}`
  const filters = ['', 'gravidade=critica', 'tipo=placa', 'veredito=confirmado', month, `ate=${iso(300)}&tipo=fogo`]
  const lists = [...filters, 'camera_id=201', 'gravidade=critica&veredito=refutado']
  const texts = ['pessoa', 'portaria', 'doca caminhao', 'abc', 'abc1', 'fogo portaria', 'pessoa caminhao', 'garagem 2']
  const searches = [
    ...texts.map((texto) => `texto=${encodeURIComponent(texto)}`),
    ...[`texto=pessoa&${month}`, 'texto=invasao&veredito=confirmado&gravidade=alta', 'texto=person&camera_id=201'],
    ...['texto=pessoa&gravidade=critica', 'texto=zzz', 'texto=a', 'atendido_por=rui&texto=patio'],
  ]
  const days = [1, 2, 40, 200, 364]
  return {
    list: [
      ...lists.map((query) => `/events?limit=50&${query}`),
      ...lists.map((query) => `/incidentes?limit=50&${query}`),
    ],
    search: [
      ...searches.map((query) => `/busca/eventos?limit=50&${query}`),
      ...searches.map((query) => `/busca/incidentes?limit=50&${query}`),
    ],
    timeline: days.map((day) => `/linha-do-tempo?desde=${iso(day)}&ate=${iso(day - 1)}`),
    report: [`/relatorios?${month}`],
    agreement: [`/concordancia?${month}`, `/concordancia?desde=${iso(365)}&ate=${iso(0)}`],
    suggestion: [0.9, 0.99].map((p) => `/cameras/${BUSY_CAMERA}/sugestao-calibracao?ia=invasao&precisao=${p}`),
    // A login may simulate ten times a minute: two requests, warmed up once and repeated four times.
    simulation: [{ invasao: { conf: 0.6 } }, { invasao: { conf: 0.41, resfriamento_s: 1 } }].map((config_ia) => ({
      path: `/cameras/${BUSY_CAMERA}/simular-calibracao`,
      body: { config_ia, desde: new Date(now - 7 * DAY_MS).toISOString(), ate: new Date(now).toISOString() },
    })),
    mosaic: ['/cameras', '/incidentes?atendido=false&limit=100', '/quedas?abertas=true&limit=200'],
  }
}

/** Measures pages in Chromium from the click on their link to the painted data. */
async function paint(api: Api): Promise<void> {
  const screens: Readonly<Record<string, Screen>> = {
    search: { path: '/busca', shown: 'main ul > li time' },
    timeline: { path: '/linha-do-tempo', shown: 'main ul[aria-label="Câmeras"] > li' },
    mosaic: { path: '/', shown: 'main button[aria-current]' },
    list: { path: '/cameras', shown: 'main ul > li' },
  }
  const browser = await openBrowser()
  try {
    const context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1280, height: 800 } })
    await context.addCookies([{ name: 'session', value: api.token, url: base }])
    const page = await context.newPage()
    for (const [name, screen] of Object.entries(screens)) {
      await timePaint(page, base, screen)
      const durations: number[] = []
      for (let i = 0; i < PAINTS; i += 1) durations.push(await timePaint(page, base, screen))
      report(timesOf(`${name}, paint | integradora`, durations), PAINT_MS)
    }
  } finally {
    await browser.close()
  }
}
