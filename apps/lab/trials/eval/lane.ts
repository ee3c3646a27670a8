import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { analyseVideo, settingsOf } from './analyse-video.ts'
import { createEvalModels } from './eval-models.ts'
import type { FromLane, Job, ToLane, VideoJob } from './lane-protocol.ts'
import { saveSegment } from './longo/long-state.ts'
import { runSegment } from './longo/run-segment.ts'
import { makeClip } from './stress/make-clip.ts'

/** A process of the evaluation: runs one job at a time, so that its CPU time belongs to the job. */

/** Interval of the progress messages. */
const PROGRESS_EVERY_MS = 250
const send = (message: FromLane) =>
  new Promise<void>((resolve) => process.send?.(message, undefined, {}, () => resolve()))
const [modelsFolder = ''] = process.argv.slice(2)
const models = createEvalModels(modelsFolder === '' ? null : modelsFolder)

let reportedAt = 0
const reportProgress = (done: number) => {
  if (performance.now() - reportedAt < PROGRESS_EVERY_MS) return
  reportedAt = performance.now()
  void send({ kind: 'progress', done })
}

async function analyse(job: VideoJob): Promise<void> {
  const folder = job.stress ? await mkdtemp(join(tmpdir(), 'vigia-eval-')) : null
  try {
    const clip = folder && job.stress ? await makeClip(job.path, job.stress, folder) : null
    const createPipeline = models.pipelineFor(settingsOf(job.scene, job.ias))
    const analysed = await analyseVideo(clip?.path ?? job.path, createPipeline, models.judge, reportProgress)
    await send({ kind: 'video', analysed, codec: clip?.codec ?? null })
  } finally {
    if (folder) await rm(folder, { recursive: true })
  }
}

async function run(job: Job): Promise<void> {
  if (job.kind === 'video') return analyse(job)
  if (job.kind === 'longo') {
    const row = await runSegment(job, models.pipelineFor, models.judge, reportProgress)
    await saveSegment(job.folder, row)
    return send({ kind: 'longo', row })
  }
  const shown: [string, Awaited<ReturnType<typeof models.show>>][] = []
  for (const path of job.paths) {
    shown.push([path, await models.show(path, job.ias)])
    reportProgress(shown.length)
  }
  await send({ kind: 'stills', shown })
}

process.on('message', (message: ToLane) => {
  // An exception here is a defect of the program: the process ends, and the evaluation reports it.
  if (message.kind === 'job') void run(message.job)
  else void stop()
})
async function stop(): Promise<void> {
  process.off('disconnect', die)
  await models.close()
  process.disconnect()
}
// The evaluation was stopped from outside. The process exits at once, because native code cannot be interrupted and its
// result is no longer needed.
function die(): void {
  process.kill(process.pid, 'SIGKILL')
}
process.on('disconnect', die)
await send({ kind: 'ready', models: await models.ready() })
