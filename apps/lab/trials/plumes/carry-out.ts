import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { NomeIa } from '@vigia/contracts/ias'
import { repositoryRoot } from '@vigia/testing/program'
import { median } from '@vigia/testing/stats'
import type { Result, Row, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import { analyseVideo, settingsOf } from '../eval/analyse-video.ts'
import { createEvalModels } from '../eval/eval-models.ts'
import { plainScene } from '../eval/scene.ts'
import { copyClip, STARTS_S } from './copy-clip.ts'
import type trial from './trial.ts'

type Options = z.output<typeof trial.options>

const COUNTED: readonly NomeIa[] = ['fogo', 'fumaca']
const OWN = ['campus-a-principal.mp4', 'campus-b-principal.mp4'].map((file) =>
  join(repositoryRoot, 'apps/dvr-simulator/footage', file),
)

/** Runs the analyses on each clip with and without a plume. `invasao` only gives the boxes of people. */
export async function carryOut({ data, clip: more, seed }: Options, { print, progress }: TrialOutput): Promise<Result> {
  const shared = (await readdir(data)).filter((file) => file.endsWith('.mp4')).toSorted()
  const clips = [...shared.map((file) => join(data, file)), ...more, ...OWN]
  const models = createEvalModels(null)
  await models.ready()
  const folder = await mkdtemp(join(tmpdir(), 'vigia-plumes-'))
  const path = join(folder, 'clip.mkv')

  async function eventsOf(clip: string, ofPlume: number | null) {
    await copyClip(clip, path, ofPlume)
    const settings = settingsOf(plainScene, [...COUNTED, 'invasao'])
    const { events, failure } = await analyseVideo(path, models.pipelineFor(settings), models.judge, () => {})
    if (failure !== null) throw new Error(`${clip}: ${failure}`)
    return events.filter(({ ia }) => COUNTED.includes(ia))
  }

  try {
    const rows: Row[] = []
    const delays: number[] = []
    let wrong = 0
    for (const [index, clip] of clips.entries()) {
      progress(index / clips.length, basename(clip))
      const clean = await eventsOf(clip, null)
      const all = await eventsOf(clip, seed + index)
      const found = all.find(({ ia, atS }) => ia === 'fumaca' && atS >= STARTS_S)
      const early = all.filter(({ ia, atS }) => ia === 'fogo' || atS < STARTS_S)
      if (found) delays.push(found.atS - STARTS_S)
      wrong += clean.length + early.length
      rows.push({
        clip: basename(clip),
        'plume found after, s': found ? Number((found.atS - STARTS_S).toFixed(1)) : null,
        'false, with a plume': namesOf(early),
        'false, clean': namesOf(clean),
      })
    }
    const usual = delays.length > 0 ? median(delays).toFixed(1) : '–'
    print(`found ${delays.length} of ${clips.length} plumes, median ${usual} s, false events ${wrong}`)
    return { passed: true, rows }
  } finally {
    await rm(folder, { recursive: true })
    await models.close()
  }
}

const namesOf = (events: readonly { readonly ia: NomeIa; readonly atS: number }[]): string =>
  events.map(({ ia, atS }) => `${ia} ${atS.toFixed(1)} s`).join(', ') || 'none'
