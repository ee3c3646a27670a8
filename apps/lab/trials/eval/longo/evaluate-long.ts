import { VigiaError } from '@vigia/contracts/errors'
import { nomesIas } from '@vigia/contracts/ias'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import { type DataSet, findDataSet } from '../data-set.ts'
import type { EvaluateOptions } from '../evaluate.ts'
import { expectationOf, sceneOf } from '../expectations.ts'
import { unusableOf } from '../jobs.ts'
import { type Lanes, startLanes } from '../lanes.ts'
import { reportTables } from '../page.ts'
import { plainScene } from '../scene.ts'
import { falseLines, longTables } from './long-report.ts'
import { openState, type SegmentRow } from './long-state.ts'
import type { LongJob } from './run-segment.ts'
import { type Perfil, perfis } from './scenes.ts'
import { SEGMENT_S, type Segment, segmentsOf } from './segments.ts'

export interface LongOptions extends EvaluateOptions {
  readonly horas: number
  /** Folder of finished segments and pictures of false events. */
  readonly estado: string
  /** null: both, the quiet one first. */
  readonly perfil: Perfil | null
}

/**
 * Runs generated hours of stream and counts false events. Segments that are in the state folder already are not run
 * again. Fails with more than 0 (quiet) or 1 (busy) false events in 24 h; the figures are the segments.
 */
export async function evaluateLong(options: LongOptions, { print, progress }: TrialOutput): Promise<Result> {
  const data = await findDataSet(options.dataDir, options.includeTraining)
  const lanes = await startLanes(options.modelsFolder, options.processes)
  try {
    const broken = lanes.models.find(({ motivo }) => motivo !== null)
    if (broken) throw new VigiaError('indisponivel', { detalhe: `${broken.tarefa}: ${broken.motivo}` })
    const models = lanes.models.map(({ tarefa, sha256 }) => `${tarefa} ${sha256}\n`).join('')
    const done = await openState(options.estado, models)
    const profiles = options.perfil === null ? perfis : [options.perfil]
    const segments = profiles.flatMap((perfil) => segmentsOf(perfil, options.horas))
    const isDone = ({ perfil, numero }: Segment) => done.some((one) => one.perfil === perfil && one.segmento === numero)
    const open = segments.filter((one) => !isDone(one))
    const jobs = open.map((one) => jobOf(one, data, lanes, options))
    const more = await runAll(lanes, jobs, segments.length, progress)
    const rows = [...done, ...more].filter(({ perfil, segmento }) =>
      segments.some((one) => one.perfil === perfil && one.numero === segmento),
    )
    const { horas, markdown } = options
    await reportTables({ tables: longTables(rows, horas), details: falseLines(rows), markdown }, print, 'longo')
    return { passed: profiles.every((perfil) => isKept(rows, perfil)), figures: { segmentos: rows } }
  } finally {
    await lanes.stop()
  }
}

function jobOf(
  { perfil, numero, cena }: Segment,
  data: DataSet,
  lanes: Lanes,
  { horas, estado }: LongOptions,
): LongJob {
  const footage = data.footage.find(({ name }) => name === cena.video)
  if (!footage) {
    const detalhe = `O fluxo longo precisa de ${cena.video} na pasta de --data.`
    throw new VigiaError('nao_encontrado', { detalhe })
  }
  const ias = nomesIas.filter((ia) => unusableOf(lanes.models, ia) === null)
  const labelled = sceneOf(footage)
  return {
    kind: 'longo',
    perfil,
    numero,
    horas,
    path: footage.path,
    scene:
      cena.verdade === 'rotulos'
        ? { ...labelled, linha: labelled.linha.length > 0 ? labelled.linha : MIDDLE }
        : { ...plainScene, zonas: cena.zonas ?? [], linha: cena.linha ?? MIDDLE },
    expectations: ias.map((ia) => [
      ia,
      cena.verdade === 'rotulos'
        ? expectationOf(footage, ia)
        : { expected: [], judged: [{ startS: 0, endS: SEGMENT_S }] },
    ]),
    folder: estado,
  }
}

const MIDDLE: [number, number][] = [
  [0, 0.5],
  [1, 0.5],
]

/** Runs the open segments. Each process saves its segment before the next one starts. */
async function runAll(
  lanes: Lanes,
  jobs: readonly LongJob[],
  all: number,
  onProgress: TrialOutput['progress'],
): Promise<SegmentRow[]> {
  const startedAt = performance.now()
  const seconds = new Map<number, number>()
  const results = await lanes.run(jobs, (index, done) => {
    seconds.set(index, done === 'all' ? SEGMENT_S : done)
    const run = [...seconds.values()].reduce((sum, one) => sum + one, 0)
    const leftS = ((jobs.length * SEGMENT_S - run) * (performance.now() - startedAt)) / 1000 / Math.max(run, 1)
    onProgress(1 - (jobs.length - run / SEGMENT_S) / all, `faltam ${duration(leftS)}`)
  })
  return results.flatMap((one) => (one.kind === 'longo' ? [one.row] : []))
}

function duration(s: number): string {
  const minutes = Math.ceil(s / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const most: Record<Perfil, number> = { parado: 0, movimentado: 1 }

/** Whether the profile keeps its bound for each 24 h. */
function isKept(rows: readonly SegmentRow[], perfil: Perfil): boolean {
  const mine = rows.filter((one) => one.perfil === perfil)
  const days = Math.max(1, (mine.length * SEGMENT_S) / 86_400)
  return mine.flatMap(({ falsos }) => falsos).length <= most[perfil] * days
}
