import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gravidades } from '@vigia/contracts/ias'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { type Api, signIn } from '@vigia/testing/api'
import { freePort } from '@vigia/testing/free-port'
import { cloudEnv, OPERATOR } from '@vigia/testing/installation'
import { startProgram } from '@vigia/testing/program'
import { percentile } from '@vigia/testing/stats'
import { temporaryDiskFolder } from '@vigia/testing/temporary-folder'
import { type Result, type Row, type TrialOutput, WrongCall } from '@vigia/testing/trial'
import type { z } from 'zod'
import { fillScreens } from './fill-store.ts'
import { type Request, timeRequests } from './measure.ts'
import { type Painted, paintScreens } from './paint.ts'
import { BUSY_CAMERA, BUSY_EMPRESA, CAMERAS, EMPRESAS } from './sizes.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

const SERVER_MS = 200
const PAINT_MS = 500
/** Elements of a page, also while it is scrolled. */
const MOST_NODES = 1_500
/** A report reads every event of its period, in steps that let other requests pass. */
const REPORT_MS = 2_000
const ROUNDS = 4
const DAY_MS = 86_400_000
const PASSWORD = 'senha-da-medida-1'

/** Measured times of one screen in ms. */
interface Measured {
  readonly screen: string
  readonly caller: string
  readonly durations: readonly number[]
  readonly limitMs: number
  /** Only of a page in Chromium. */
  readonly painted?: Painted
}

/** Fills a data folder, unless it is kept from an earlier run, and measures the cloud on it. */
export async function carryOut(options: Options, output: TrialOutput): Promise<Result> {
  const { eventos: total, pasta, 'so-preparar': onlyFills, 'so-pintar': onlyPaints } = options
  if (onlyFills && pasta === undefined) throw new WrongCall('--so-preparar needs --pasta')
  const folder = pasta === undefined ? temporaryDiskFolder('vigia-telas-') : resolve(pasta)
  const now = Date.now()
  try {
    const database = join(folder, 'cloud/vigia.db')
    if (!existsSync(database)) {
      await mkdir(join(folder, 'cloud'), { recursive: true, mode: 0o700 })
      await ensureInstallationPki({ dir: folder, brokerHosts: [] })
      await fillScreens(database, total, now, (title) => output.progress(0, title))
    }
    if (onlyFills) return { passed: true }
    output.print(`${total} events, ${CAMERAS} cameras, ${EMPRESAS} Empresas`)
    const measured = await measureCloud(folder, now, output, onlyPaints)
    return { passed: measured.every(isWithin), rows: measured.map(toRow) }
  } finally {
    if (pasta === undefined) await rm(folder, { recursive: true, force: true })
  }
}

async function measureCloud(
  folder: string,
  now: number,
  { print, progress }: TrialOutput,
  onlyPaints: boolean,
): Promise<Measured[]> {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const program = await startProgram({
    entry: 'apps/cloud/src/main.ts',
    env: { ...cloudEnv, VIGIA_DATA_DIR: folder, PORT: String(port), VIGIA_EDGE_LOCAL: '0', VIGIA_LOG_LEVEL: 'warn' },
    readyMs: 300_000,
  })
  try {
    const operator = await signIn(base, OPERATOR.username, OPERATOR.password)
    const integradora = await login(operator, 1, now)
    const empresa = await login(operator, BUSY_EMPRESA, now)
    const callers = Object.entries({ operador: operator, integradora, empresa })
    const screens = onlyPaints ? [] : Object.entries(requests(now))
    const measured: Measured[] = []
    for (const [screen, paths] of screens)
      for (const [caller, api] of callers) {
        progress(measured.length / (screens.length * callers.length), `${screen}, server, ${caller}`)
        const { durations, slowest } = await timeRequests(api, paths, ROUNDS)
        const limitMs = screen === 'report' ? REPORT_MS : SERVER_MS
        measured.push({ screen: `${screen}, server`, caller, durations, limitMs })
        print(`${screen}, server, ${caller}, slowest: ${decodeURIComponent(slowest)}`)
      }
    for (const [caller, api] of callers) {
      progress(1, `paint, ${caller}`)
      const painted = await paintScreens(api)
      measured.push(...painted.map((one) => ({ ...one, caller, limitMs: PAINT_MS })))
    }
    return measured
  } finally {
    await program.stop()
  }
}

async function login(by: Api, empresaId: number, now: number): Promise<Api> {
  const username = `medida-${empresaId}-${now}`
  const usuario = { username, senha: PASSWORD, papel: 'administrador', empresa_id: empresaId }
  await by.call('POST', '/usuarios', usuario)
  return signIn(by.base, username, PASSWORD)
}

function isWithin({ durations, limitMs, painted }: Measured): boolean {
  const hasAllRows = painted === undefined || painted.rows === painted.promised
  return percentile(durations, 0.95) <= limitMs && hasAllRows && (painted?.nodes ?? 0) <= MOST_NODES
}

function toRow({ screen, caller, durations, limitMs, painted }: Measured): Row {
  const ms = (share: number) => Math.round(percentile(durations, share))
  return {
    screen,
    caller,
    'median, ms': ms(0.5),
    'p95, ms': ms(0.95),
    'max, ms': ms(1),
    'limit, ms': limitMs,
    'p95 / limit': (percentile(durations, 0.95) / limitMs).toFixed(2),
    rows: painted ? `${painted.rows} of ${painted.promised}` : null,
    [`nodes, ≤ ${MOST_NODES}`]: painted?.nodes ?? null,
    'height, px': painted?.heightPx ?? null,
  }
}

/** Requests of each screen, the worst filters among them. */
function requests(now: number): Readonly<Record<string, readonly Request[]>> {
  const iso = (daysAgo: number) => encodeURIComponent(new Date(now - daysAgo * DAY_MS).toISOString())
  const month = `desde=${iso(60)}&ate=${iso(30)}`
  const filters = ['', 'gravidade=critica', 'tipo=placa', 'veredito=confirmado', month, `ate=${iso(300)}&tipo=fogo`]
  const lists = [...filters, 'camera_id=201', 'gravidade=critica&veredito=refutado']
  const texts = ['pessoa', 'portaria', 'doca caminhao', 'abc', 'abc1', 'fogo portaria', 'pessoa caminhao', 'garagem 2']
  const searches = [
    ...texts.map((texto) => `texto=${encodeURIComponent(texto)}`),
    `texto=pessoa&${month}`,
    'texto=invasao&veredito=confirmado&gravidade=alta',
    'texto=person&camera_id=201',
    'texto=pessoa&gravidade=critica',
    'texto=zzz',
    'texto=a',
    'atendido_por=rui&texto=patio',
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
    plantao: [
      '/cameras',
      ...gravidades.map((one) => `/incidentes?atendido=false&limit=100&gravidade=${one}`),
      '/quedas?abertas=true&limit=200',
    ],
  }
}
