import { access, readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { VigiaError } from '@vigia/contracts/errors'
import { createDetector } from '@vigia/vision/detector'
import { defaultDetectorId, defaultSecondOpinionId, modelManifest } from '@vigia/vision/registry'
import { createSecondOpinion } from '@vigia/vision/second-opinion'
import { type Label, parseLabels } from './labels.ts'
import { scoreVideo, type VideoScore } from './score.ts'
import { table } from './table.ts'
import { watchVideo } from './watch-video.ts'

export interface EvaluateOptions {
  /** Holds videos and `events.csv`, or a folder `cctv` that does. */
  readonly dataDir: string
  /** File for the scores as JSON; `-`: standard output in place of the table; null: none. */
  readonly json: string | null
}

const VIDEOS = new Set(['.mp4', '.mkv', '.avi', '.mov', '.ts'])

/** Measures the pipeline on labelled footage. Returns the exit code. Throws VigiaError when there is nothing to measure on. */
export async function evaluate({ dataDir, json }: EvaluateOptions): Promise<number> {
  const { dir, videos, labels } = await findFootage(dataDir)
  const detector = await createDetector(modelManifest(defaultDetectorId), { threads: 1 })
  const secondOpinion = await createSecondOpinion(modelManifest(defaultSecondOpinionId), { threads: 1 })
  const scores: VideoScore[] = []
  for (const [index, video] of videos.entries()) {
    const progress = progressLine(`${index + 1}/${videos.length} ${video}`, lastLabel(labels, video))
    const watched = await watchVideo(join(dir, video), detector, secondOpinion, progress.at)
    progress.clear()
    scores.push(scoreVideo(video, watched, labels))
  }
  await detector.close()

  const result = {
    dados: dir,
    detector: detector.id,
    segunda_opiniao: secondOpinion.id,
    ok: scores.every(({ ok }) => ok),
    videos: scores,
  }
  const text = `${JSON.stringify(result, null, 2)}\n`
  if (json !== null && json !== '-') await writeFile(json, text)
  process.stdout.write(json === '-' ? text : `${table(scores)}\n`)
  return result.ok ? 0 : 1
}

async function findFootage(dataDir: string): Promise<{ dir: string; videos: string[]; labels: Label[] }> {
  const dir = (await exists(join(dataDir, 'cctv'))) ? join(dataDir, 'cctv') : dataDir
  const names = (await exists(dir)) ? await readdir(dir) : []
  const videos = names.filter((name) => VIDEOS.has(extname(name).toLowerCase())).sort()
  if (videos.length === 0) {
    throw new VigiaError('nao_encontrado', {
      detalhe: `Não há vídeos em ${dataDir}. Informe a pasta com --data PASTA ou na variável VIGIA_DADOS_TESTE.`,
    })
  }
  const csv = join(dir, 'events.csv')
  return { dir, videos, labels: (await exists(csv)) ? parseLabels(await readFile(csv, 'utf8')) : [] }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

const lastLabel = (labels: readonly Label[], video: string): number =>
  Math.max(0, ...labels.filter((label) => label.video === video).map(({ endS }) => endS))

/** A line that is written over, on a terminal only. `endS`: about how long the video is; 0: not known. */
function progressLine(title: string, endS: number) {
  const { stderr } = process
  if (!stderr.isTTY) return { at: () => {}, clear: () => {} }
  const width = 24
  return {
    at(atS: number) {
      const done = endS > 0 ? Math.min(width, Math.round((atS / endS) * width)) : 0
      stderr.write(`\r\u001b[K[${'█'.repeat(done)}${' '.repeat(width - done)}] ${title} ${atS.toFixed(0)} s`)
    },
    clear: () => {
      stderr.write('\r\u001b[K')
    },
  }
}
