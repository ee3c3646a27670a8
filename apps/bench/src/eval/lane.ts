import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEyes } from './eyes.ts'
import type { FromLane, Job, ToLane, VideoJob } from './lane-protocol.ts'
import { makeClip } from './stress/make-clip.ts'
import { watchOf, watchVideo } from './watch-video.ts'

/** A process of the evaluation: does one job after the other, so that its CPU time is that of the job. */

/** Of the progress messages, ms. */
const TELL_EVERY_MS = 250
const send = (message: FromLane) =>
  new Promise<void>((resolve) => process.send?.(message, undefined, {}, () => resolve()))
const [modelsFolder = ''] = process.argv.slice(2)
const eyes = createEyes(modelsFolder === '' ? null : modelsFolder)

let toldAt = 0
const tell = (done: number) => {
  if (performance.now() - toldAt < TELL_EVERY_MS) return
  toldAt = performance.now()
  void send({ kind: 'progress', done })
}

async function watch(job: VideoJob): Promise<void> {
  const folder = job.stress ? await mkdtemp(join(tmpdir(), 'vigia-eval-')) : null
  try {
    const clip = folder && job.stress ? await makeClip(job.path, job.stress, folder) : null
    const createPipeline = eyes.pipelineFor(watchOf(job.scene, job.ias))
    const watched = await watchVideo(clip?.path ?? job.path, createPipeline, eyes.judge, tell)
    await send({ kind: 'video', watched, codec: clip?.codec ?? null })
  } finally {
    if (folder) await rm(folder, { recursive: true })
  }
}

async function run(job: Job): Promise<void> {
  if (job.kind === 'video') return watch(job)
  const shown: [string, Awaited<ReturnType<typeof eyes.show>>][] = []
  for (const path of job.paths) {
    shown.push([path, await eyes.show(path, job.ias)])
    tell(shown.length)
  }
  await send({ kind: 'stills', shown })
}

process.on('message', (message: ToLane) => {
  // What fails here is a fault of the program: the process ends with it, and the evaluation says so.
  if (message.kind === 'job') void run(message.job)
  else void stop()
})
async function stop(): Promise<void> {
  process.off('disconnect', die)
  await eyes.close()
  process.disconnect()
}
// The evaluation was stopped from outside: nobody waits for what is at work here, and native code does not let itself be stopped halfway.
function die(): void {
  process.kill(process.pid, 'SIGKILL')
}
process.on('disconnect', die)
await send({ kind: 'ready', models: await eyes.ready() })
