import { nomesIas } from '@vigia/contracts/ias'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import { machineName } from '../../src/machine.ts'
import { judgeBounds } from './bounds.ts'
import { calibrationCurves } from './calibration-curve.ts'
import { type DataSet, type Footage, findDataSet } from './data-set.ts'
import { isUnderstood } from './expectations.ts'
import { stillsJobs, summarizeIas, unusableOf, videoJob, videoResult } from './jobs.ts'
import { type Lanes, startLanes } from './lanes.ts'
import { reportTables } from './page.ts'
import { peopleOf } from './ppe/evaluate-ppe.ts'
import { boundsOf } from './ppe/person-result.ts'
import { detailsOf, tablesOf } from './report.ts'
import type { Cost, EvalResult, VideoResult } from './result.ts'
import { runJobs } from './run-jobs.ts'
import type { ShownStill } from './show-still.ts'
import { summarizeStrata } from './strata.ts'
import { obstructionJobs, obstructionResults, stressable, transformJobs, transformResults } from './stress-runs.ts'
import { summarizeDetectors, summarizePictures } from './summarize.ts'

export interface EvaluateOptions {
  readonly dataDir: string
  /** Also folders `…-train`. */
  readonly includeTraining: boolean
  /** Also measure labelled clips under stress transformations. */
  readonly stress: boolean
  readonly only: 'videos' | 'imagens' | null
  /** Folder with manifests of an installer's models; null: the built-in models. */
  readonly modelsFolder: string | null
  /** Number of parallel processes, at most one per core. */
  readonly processes: number
  /** As in `reportTables`. */
  readonly markdown: string | null
}

/**
 * Measures the product on a folder of footage and pictures; the figures are an EvalResult. Throws VigiaError if there
 * is nothing to measure.
 */
export async function evaluate(options: EvaluateOptions, { print, progress }: TrialOutput): Promise<Result> {
  const startedAt = performance.now()
  const data = await findDataSet(options.dataDir, options.includeTraining)
  const lanes = await startLanes(options.modelsFolder, options.processes)
  try {
    const measured = await measure(data, options, lanes, progress)
    const pessoas = options.only === 'videos' ? [] : await peopleOf(data, lanes.models, options)
    const ofPeople = pessoas.length > 0 ? boundsOf(pessoas) : []
    const limites = [...judgeBounds({ modelos: lanes.models, ...measured }), ...ofPeople]
    const custo = { ...measured.custo, duracao_s: (performance.now() - startedAt) / 1000, processos: lanes.count }
    const result: EvalResult = {
      data: new Date().toISOString().slice(0, 10),
      dados: options.dataDir,
      maquina: machineName(),
      modelos: lanes.models,
      ok: limites.every((one) => one.ok) && wasRead(data, options, { ...measured, custo }),
      limites,
      pessoas,
      ...measured,
      custo,
    }
    await reportTables({ tables: tablesOf(result), details: detailsOf(result), markdown: options.markdown }, print)
    return { passed: result.ok, figures: result }
  } finally {
    await lanes.stop()
  }
}

/** Unreadable pictures are listed and skipped. The run fails if all pictures are unreadable or nothing was analysed. */
function wasRead(
  { sets }: DataSet,
  { only }: EvaluateOptions,
  { videos, custo }: Pick<EvalResult, 'videos' | 'custo'>,
) {
  const hasPictures = custo.imagens > 0 || only === 'videos' || sets.length === 0
  return hasPictures && videos.length + custo.imagens > 0 && videos.every(({ failure }) => failure === null)
}

async function measure(
  { footage, sets, notes }: DataSet,
  { stress, only }: EvaluateOptions,
  lanes: Lanes,
  onProgress: TrialOutput['progress'],
) {
  const ias = nomesIas.filter((ia) => unusableOf(lanes.models, ia) === null)
  const analysed = only === 'imagens' ? [] : footage
  const looked = only === 'videos' ? [] : sets
  const run = (jobs: Parameters<typeof runJobs>[1]) => runJobs(lanes, jobs, onProgress)
  const results = await run([
    ...analysed.map((one) => videoJob(one, ias)),
    ...looked.flatMap((set) => stillsJobs(set, ias)),
  ])
  const videos = analysed.map((one, index) => videoResult(one, ias, results[index]))
  const shown = results.flatMap((one) => (one.kind === 'stills' ? one.shown : []))
  const readable = new Map(shown.flatMap(([path, still]) => (still ? [[path, still] as const] : [])))

  const clips = stress ? stressable(analysed) : []
  const transformed = await run(transformJobs(clips, ias))
  const obstructed = obstructionJobs(clips)
  return {
    ias: summarizeIas(videos, lanes.models),
    detectores: looked.flatMap((set) => summarizeDetectors(set, readable)),
    faixas: summarizeStrata(looked, readable),
    curvas: calibrationCurves(looked, readable),
    imagens: looked.flatMap((set) => summarizePictures(set, readable)),
    estresse: stress ? transformResults(clips, ias, lanes.models, transformed) : [],
    obstrucoes: obstructionResults(obstructed, await run(obstructed)),
    videos,
    custo: costOf(videos, readable),
    notas: [...notes, ...strangeRows(analysed), ...unreadable(shown)],
  }
}

function costOf(
  videos: readonly VideoResult[],
  stills: ReadonlyMap<string, ShownStill>,
): Omit<Cost, 'duracao_s' | 'processos'> {
  const videoS = videos.reduce((sum, { durationS }) => sum + durationS, 0)
  const cpuS = videos.reduce((sum, one) => sum + one.cpuS, 0)
  return {
    cpu_por_segundo: videoS > 0 ? cpuS / videoS : null,
    memoria_mb: videos.length > 0 ? Math.max(...videos.map(({ memoryMb }) => memoryMb)) : null,
    video_s: videoS,
    imagens: stills.size,
  }
}

/** Unknown rows of `events.csv`: a typing error must not pass for a label. */
const strangeRows = (footage: readonly Footage[]): string[] =>
  footage.flatMap(({ name, labels }) =>
    labels
      .filter(({ event }) => !isUnderstood(event))
      .map(({ event, startS, endS }) => `${name}: o rótulo ${event} (${startS}–${endS} s) não diz nada de nenhuma IA.`),
  )

const unreadable = (shown: readonly (readonly [path: string, still: ShownStill | null])[]): string[] =>
  shown.flatMap(([path, still]) => (still ? [] : [`${path}: a imagem não pôde ser lida e ficou de fora.`]))
