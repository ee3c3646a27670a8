import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { calibracaoPadrao, type NomeIa } from '@vigia/contracts/ias'
import { type CloudStandIn, type DesiredCamera, startCloudStandIn } from '@vigia/testing/cloud-stand-in'
import { type Program, startProgram } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { writeFootage } from './footage.ts'
import { childrenOf, cpuSeconds, machineCpuSeconds, memory } from './processes.ts'

export interface LoadOptions {
  readonly cameras: number
  /** Duration of the measurement after all cameras are online, in seconds. */
  readonly seconds: number
  readonly ias: readonly NomeIa[]
  /** Video of each camera; default: the campus. */
  readonly footage?: string
  /** Time between the first online report and the measurement, in ms; default: until a first event arrives. */
  readonly settleMs?: number
  /** Settings of the edge beside those of the measurement. */
  readonly settings?: Readonly<Record<string, string>>
  /** `fraction`: 0–1 of the measurement. */
  onProgress(fraction: number, title: string): void
}

export interface LoadReport {
  readonly cameras: number
  readonly segundos: number
  readonly processos: number
  /** Private memory of the capture processes and of the main process per camera, in bytes. */
  readonly memoria_por_camera: number
  readonly memoria_principal: number
  /** CPU seconds per second and camera, capture processes only. */
  readonly cpu_por_camera: number
  readonly cpu_principal: number
  /** p99 of the delay of the event loop in the worst five seconds, in ms. */
  readonly atraso_p99_principal: number
  readonly atraso_p99_captura: number
  /** Largest number of cameras of one process that waited for their turn at the models. */
  readonly na_fila_max: number
  /** Per second and camera: frames at the gate, inferences, and frames replaced by a newer one. */
  readonly quadros_por_s: number
  readonly olhares_por_s: number
  readonly trocados_por_s: number
  /** Largest number of events in the outbox. */
  readonly outbox_max: number
  readonly eventos: number
  /** Share of the processors used by other programs, 0–1: with a large share, delays and inferences mean little. */
  readonly ocupada_por_outros: number
  /** How the cameras were read (`leitura` of the report). */
  readonly leituras: readonly string[]
}

/** Above this share the machine is too busy for meaningful delays. */
export const MAX_OTHERS = 0.15

interface LoadLine {
  readonly name: string
  readonly pid: number
  readonly [key: string]: number | string
}

/**
 * Reads simulated cameras with the real programs (recorder, broker, edge with its capture processes) and measures them.
 * A simulated cloud stores the records in memory.
 */
export async function measureLoad(options: LoadOptions): Promise<LoadReport> {
  const dir = await mkdtemp(join(tmpdir(), 'vigia-carga-'))
  const ends: (() => Promise<unknown>)[] = [() => rm(dir, { recursive: true, force: true })]
  try {
    const footage = options.footage ?? join(dir, 'campus.mkv')
    options.onProgress(0, 'prepara o vídeo')
    if (!options.footage) await writeFootage(footage, Math.min(30, options.seconds + 5))
    const cloud = await startCloudStandIn()
    ends.push(() => cloud.close())
    const recorder = await startProgram({
      entry: 'apps/dvr-simulator/src/main.ts',
      args: ['--porta', '0', ...Array.from({ length: options.cameras }, () => ['--canal', footage]).flat()],
      env: { VIGIA_SIM_USUARIO: 'vigia', VIGIA_SIM_SENHA: 'carga' },
    })
    ends.push(() => recorder.stop())
    const edge = await startEdge(cloud, options.settings)
    ends.push(() => edge.stop())
    return await watch(options, cloud, recorder, edge)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

async function startEdge(cloud: CloudStandIn, settings: LoadOptions['settings']): Promise<Program> {
  cloud.codes.add('carga')
  const code = join(cloud.dir, 'codigo')
  await writeFile(code, 'carga\n')
  return await startProgram({
    entry: 'apps/edge/src/main.ts',
    env: {
      VIGIA_DATA_DIR: cloud.dir,
      VIGIA_CLOUD_URL: cloud.url,
      VIGIA_ATIVACAO_ARQUIVO: code,
      VIGIA_LOG_LEVEL: 'debug',
      ...settings,
    },
  })
}

async function watch(options: LoadOptions, cloud: CloudStandIn, recorder: Program, edge: Program): Promise<LoadReport> {
  const { cameras, seconds } = options
  await waitFor('the activation', () => cloud.reports.length > 0, { timeoutMs: 30_000 })
  const ids = Array.from({ length: cameras }, (_, i) => i + 1)
  await cloud.configure(
    1,
    ids.map((id) => camera(id, recorder, options.ias)),
  )
  options.onProgress(0, 'espera as câmeras')
  const online = () => cloud.reports.at(-1)?.cameras.filter(({ estado }) => estado === 'online').length === cameras
  await waitFor('all cameras online', online, { timeoutMs: 120_000 })
  if (options.settleMs === undefined)
    await waitFor('a first event', () => cloud.arrived.length > 0, { timeoutMs: 120_000 })
  else await delay(options.settleMs)

  const pids = childrenOf(edge.pid)
  const all = [...pids, edge.pid, recorder.pid, cloud.broker.pid, process.pid]
  const others = () => machineCpuSeconds() - cpuOf(all)
  const from = {
    lines: loadLines(edge).length,
    events: cloud.arrived.length,
    cpu: cpuOf(pids),
    main: cpuSeconds(edge.pid),
    others: others(),
  }
  const began = performance.now()
  for (let second = 0; second < seconds; second++) {
    options.onProgress(second / seconds, `mede ${second + 1}/${seconds} s`)
    await delay(1_000)
  }
  const tookS = (performance.now() - began) / 1000
  const lines = loadLines(edge).slice(from.lines)
  const [main, capture] = [lines.filter(({ name }) => name === 'edge'), lines.filter(({ name }) => name === 'captura')]
  const most = (of: readonly LoadLine[], key: string) => Math.max(0, ...of.map((line) => Number(line[key])))
  const rate = (key: string) => capture.reduce((sum, line) => sum + Number(line[key]), 0) / tookS / cameras
  return {
    cameras,
    segundos: tookS,
    processos: pids.length,
    memoria_por_camera: pids.reduce((sum, pid) => sum + memory(pid).own, 0) / cameras,
    memoria_principal: memory(edge.pid).own,
    cpu_por_camera: (cpuOf(pids) - from.cpu) / tookS / cameras,
    cpu_principal: (cpuSeconds(edge.pid) - from.main) / tookS,
    atraso_p99_principal: most(main, 'atraso_p99'),
    atraso_p99_captura: most(capture, 'atraso_p99'),
    na_fila_max: most(capture, 'na_fila'),
    quadros_por_s: rate('quadros'),
    olhares_por_s: rate('olhares'),
    trocados_por_s: rate('trocados'),
    outbox_max: most(main, 'fila'),
    eventos: cloud.arrived.length - from.events,
    ocupada_por_outros: Math.max(0, others() - from.others) / tookS / cpus().length,
    leituras: [...new Set(cloud.reports.at(-1)?.cameras.map(({ leitura }) => leitura ?? ''))],
  }
}

const cpuOf = (pids: readonly number[]) => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)

const camera = (id: number, recorder: Program, ias: readonly NomeIa[]): DesiredCamera => ({
  id,
  rtsp_url: `rtsp://vigia:carga@127.0.0.1:${recorder.porta}/cam/realmonitor?channel=${id}&subtype=0`,
  analises: ias.map((ia) => ({ ia, calibracao: calibracaoPadrao[ia], agenda: null })),
  linha: [[0, 0.5, 1, 0.5]],
})

function loadLines(edge: Program): LoadLine[] {
  return edge
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}') && line.includes('"msg":"load"'))
    .map((line) => JSON.parse(line) as LoadLine)
}
