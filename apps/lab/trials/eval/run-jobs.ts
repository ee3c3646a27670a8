import { basename } from 'node:path'
import { ANALYSED_FPS } from '@vigia/analysis/model'
import type { TrialOutput } from '@vigia/testing/trial'
import type { StillsJob, VideoJob } from './lane-protocol.ts'
import type { JobResult, Lanes } from './lanes.ts'
import { SHOWN_FRAMES } from './show-still.ts'
import { nameOf } from './stress/stress.ts'

/** Estimated work for a picture, and for a video of unknown length, in seconds of video; used only for the progress. */
const STILL_S = SHOWN_FRAMES / ANALYSED_FPS
const VIDEO_S = 60

type Job = VideoJob | StillsJob

/** Runs the jobs and shows their progress. */
export async function runJobs(
  lanes: Lanes,
  jobs: readonly Job[],
  onProgress: TrialOutput['progress'],
): Promise<JobResult[]> {
  const total = jobs.reduce((sum, job) => sum + sizeOf(job), 0)
  const done = new Map<number, number>()
  return await lanes.run(jobs, (index, amount) => {
    const job = jobs[index]
    if (!job) return
    done.set(
      index,
      amount === 'all' ? sizeOf(job) : Math.min(sizeOf(job), job.kind === 'stills' ? amount * STILL_S : amount),
    )
    onProgress([...done.values()].reduce((sum, value) => sum + value, 0) / total, titleOf(job))
  })
}

const sizeOf = (job: Job): number => (job.kind === 'stills' ? job.paths.length * STILL_S : VIDEO_S)

function titleOf(job: Job): string {
  if (job.kind === 'stills') return 'imagens'
  return job.stress ? `${basename(job.path)} (${nameOf(job.stress)})` : basename(job.path)
}
