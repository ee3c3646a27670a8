import { nomesIas } from '@vigia/contracts/ias'
import { above, below, type Check, holds, resultOf } from '@vigia/testing/checks'
import { median } from '@vigia/testing/stats'
import { type Result, type TrialOutput, WrongCall } from '@vigia/testing/trial'
import type { z } from 'zod'
import { type ClientOptions, measureClients, rtspClients } from './clients.ts'
import { type LoadReport, MAX_OTHERS, measureLoad } from './measure.ts'
import { measureScenes } from './scenes.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

/** Largest delay of the event loop that the product guarantees, p99 in ms. */
const MAX_P99_MS = 50
const MAX_OUTBOX = 100
const MIN_FRAMES_PER_S = 4

/** Measures many cameras, the scenes of one, or both RTSP clients. */
export async function carryOut(
  { cameras, cenas, clients, voltas, segundos }: Options,
  output: TrialOutput,
): Promise<Result> {
  if (cenas && clients) throw new WrongCall('--cenas and --clients are two measurements')
  if (cenas && cameras !== undefined) throw new WrongCall('--cenas has one camera: leave --cameras out')
  if (clients) return await carryOutClients({ cameras: cameras ?? 4, seconds: segundos, turns: voltas }, output)
  return cenas ? await carryOutScenes(segundos, output) : await carryOutCameras(cameras ?? 16, segundos, output)
}

async function carryOutCameras(cameras: number, seconds: number, { print, progress }: TrialOutput): Promise<Result> {
  const report = await measureLoad({ cameras, seconds, ias: nomesIas, onProgress: progress })
  warnAboutOthers(report.ocupada_por_outros, print)
  const isMeaningful = report.ocupada_por_outros <= MAX_OTHERS
  const checks = [...countChecks(report), ...(isMeaningful ? timeChecks(report) : [])]
  for (const { check, figure, limit } of checks.filter(({ passed }) => !passed))
    print(`Fora do limite: ${check}: ${figure} (${limit})`)
  return {
    ...resultOf(checks),
    rows: rowsOf(report).map(([medida, valor]) => ({ medida, valor })),
    figures: report,
  }
}

const countChecks = (report: LoadReport): readonly Check[] => [
  above('olhares dos modelos', report.olhares_por_s, 0),
  holds('câmeras à espera da vez', report.na_fila_max <= report.cameras / report.processos),
  below('à espera no disco', report.outbox_max, MAX_OUTBOX),
]

/** The gate receives every frame, however long the models take. */
const timeChecks = (report: LoadReport): readonly Check[] => [
  above('quadros por câmera', report.quadros_por_s, MIN_FRAMES_PER_S, '/s'),
  below('atraso, principal', report.atraso_p99_principal, MAX_P99_MS, 'ms'),
  below('atraso, captura', report.atraso_p99_captura, MAX_P99_MS, 'ms'),
]

const mib = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`

const rowsOf = (report: LoadReport): readonly (readonly [string, string])[] => [
  ['câmeras, processos de captura', `${report.cameras}, ${report.processos}`],
  ['memória por câmera', mib(report.memoria_por_camera)],
  ['memória do processo principal', mib(report.memoria_principal)],
  ['CPU por câmera', `${(report.cpu_por_camera * 100).toFixed(1)} % de um núcleo`],
  ['CPU do processo principal', `${(report.cpu_principal * 100).toFixed(1)} % de um núcleo`],
  ['quadros por câmera', `${report.quadros_por_s.toFixed(1)}/s`],
  [
    'olhares dos modelos por câmera',
    `${report.olhares_por_s.toFixed(2)}/s (${report.trocados_por_s.toFixed(2)}/s trocados por um quadro mais novo)`,
  ],
  [
    'atraso do laço de eventos, p99',
    `principal ${report.atraso_p99_principal.toFixed(1)} ms, ` +
      `captura ${report.atraso_p99_captura.toFixed(1)} ms (limite ${MAX_P99_MS} ms)`,
  ],
  ['câmeras à espera da vez, no máximo', String(report.na_fila_max)],
  ['processadores ocupados por outros', `${(report.ocupada_por_outros * 100).toFixed(0)} %`],
  ['eventos; à espera no disco, no máximo', `${report.eventos}; ${report.outbox_max}`],
]

/** One camera with every IA on a quiet and on a busy scene. */
async function carryOutScenes(seconds: number, { print, progress }: TrialOutput): Promise<Result> {
  const reports = await measureScenes(seconds, progress)
  warnAboutOthers(Math.max(...reports.map((report) => report.ocupada_por_outros)), print)
  return {
    passed: reports.every(({ ok }) => ok),
    rows: reports.map(({ cena, nucleos, limite, valida, ok, quadros_por_s, olhares_por_s, eventos }) => ({
      cena,
      núcleos: Number(nucleos.toFixed(3)),
      limite,
      resultado: valida ? (ok ? 'ok' : 'acima do limite') : 'sem valor: poucos quadros analisados',
      'quadros/s': Number(quadros_por_s.toFixed(1)),
      'olhares/s': Number(olhares_por_s.toFixed(2)),
      eventos,
    })),
    figures: { cenas: reports },
  }
}

/** The same cameras by each RTSP client. CPU time alone decides, so that other programs matter little. */
async function carryOutClients(options: ClientOptions, { print, progress }: TrialOutput): Promise<Result> {
  const costs = await measureClients(options, progress)
  const [own, ffmpeg] = rtspClients.map((client) =>
    median(costs.filter((cost) => cost.client === client).map((cost) => cost.cpu_por_camera)),
  )
  const ratio = (own ?? 0) / (ffmpeg ?? 0)
  print(`CPU per camera: own ${own?.toFixed(4)}, FFmpeg ${ffmpeg?.toFixed(4)} core, ratio ${ratio.toFixed(3)}`)
  const isValid = costs.every(({ isRead }) => isRead)
  if (!isValid) print('A turn had too few pictures, or another client read them.')
  return {
    passed: isValid && ratio <= 1,
    rows: costs.map(({ client, cpu_por_camera, cpu_principal, memoria_por_camera, quadros_por_s }) => ({
      client,
      'core a camera': Number(cpu_por_camera.toFixed(4)),
      'main process': Number(cpu_principal.toFixed(4)),
      'memory a camera': mib(memoria_por_camera),
      'frames/s': Number(quadros_por_s.toFixed(1)),
    })),
    figures: { own, ffmpeg, ratio, costs },
  }
}

function warnAboutOthers(share: number, print: TrialOutput['print']): void {
  if (share <= MAX_OTHERS) return
  print('A máquina estava ocupada com outros programas: atrasos e olhares valem pouco. Meça outra vez.')
}
