import { writeFile } from 'node:fs/promises'
import { nomesIas } from '@vigia/contracts/ias'
import { judgeBounds } from './bounds.ts'
import { calibrationCurves } from './calibration-curve.ts'
import { type DataSet, type Footage, findDataSet } from './data-set.ts'
import { isUnderstood } from './expectations.ts'
import { stillsJobs, summarizeIas, unusableOf, videoJob, videoResult } from './jobs.ts'
import { type Lanes, startLanes } from './lanes.ts'
import { machineName } from '../../src/machine.ts'
import { writePage } from './page.ts'
import { peopleOf } from './ppe/evaluate-ppe.ts'
import { boundsOf } from './ppe/person-result.ts'
import { detailsOf, tablesOf } from './report.ts'
import type { Cost, EvalResult, VideoResult } from './result.ts'
import { runJobs } from './run-jobs.ts'
import type { ShownStill } from './show-still.ts'
import { summarizeStrata } from './strata.ts'
import { obstructionJobs, obstructionResults, stressable, transformJobs, transformResults } from './stress-runs.ts'
import { summarizeDetectors, summarizePictures } from './summarize.ts'
import { toMarkdown, toText } from '@vigia/testing/table'

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
  /** File for the results as JSON; `-`: standard output instead of the tables; null: none. */
  readonly json: string | null
  /**
   * File for the tables: a new page, or a page with markers (page.ts). `-`: standard output instead of the tables;
   * null: none.
   */
  readonly markdown: string | null
}

/**
 * Measures the product on a folder of footage and pictures. Returns the exit code. Throws VigiaError if there is
 * nothing to measure.
 */
export async function evaluate(options: EvaluateOptions): Promise<number> {
  const startedAt = performance.now()
  const data = await findDataSet(options.dataDir, options.includeTraining)
  const lanes = await startLanes(options.modelsFolder, options.processes)
  try {
    const measured = await measure(data, options, lanes)
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
    await report(result, options)
    return result.ok ? 0 : 1
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

async function measure({ footage, sets, notes }: DataSet, { stress, only }: EvaluateOptions, lanes: Lanes) {
  const ias = nomesIas.filter((ia) => unusableOf(lanes.models, ia) === null)
  const analysed = only === 'imagens' ? [] : footage
  const looked = only === 'videos' ? [] : sets
  const results = await runJobs(lanes, [
    ...analysed.map((one) => videoJob(one, ias)),
    ...looked.flatMap((set) => stillsJobs(set, ias)),
  ])
  const videos = analysed.map((one, index) => videoResult(one, ias, results[index]))
  const shown = results.flatMap((one) => (one.kind === 'stills' ? one.shown : []))
  const readable = new Map(shown.flatMap(([path, still]) => (still ? [[path, still] as const] : [])))

  const clips = stress ? stressable(analysed) : []
  const transformed = await runJobs(lanes, transformJobs(clips, ias))
  const obstructed = obstructionJobs(clips)
  return {
    ias: summarizeIas(videos, lanes.models),
    detectores: looked.flatMap((set) => summarizeDetectors(set, readable)),
    faixas: summarizeStrata(looked, readable),
    curvas: calibrationCurves(looked, readable),
    imagens: looked.flatMap((set) => summarizePictures(set, readable)),
    estresse: stress ? transformResults(clips, ias, lanes.models, transformed) : [],
    obstrucoes: obstructionResults(obstructed, await runJobs(lanes, obstructed)),
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

async function report(result: EvalResult, { json, markdown }: EvaluateOptions): Promise<void> {
  const tables = tablesOf(result)
  const texts = {
    json: `${JSON.stringify(result, null, 2)}\n`,
    markdown: `${tables.map(toMarkdown).join('\n\n')}\n`,
  }
  if (json !== null && json !== '-') await writeFile(json, texts.json)
  if (markdown !== null && markdown !== '-') await writePage(markdown, texts.markdown)
  if (json === '-') process.stdout.write(texts.json)
  else if (markdown === '-') process.stdout.write(texts.markdown)
  else process.stdout.write(`${[...tables.map(toText), detailsOf(result).join('\n')].join('\n\n')}\n`)
}
