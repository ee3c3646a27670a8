import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runInference } from '@vigia/analysis/inference'
import { VigiaError } from '@vigia/contracts/errors'
import { calibracaoPadrao } from '@vigia/ias/catalogue'
import { itensEpi } from '@vigia/ias/epi/catalogue'
import { missingInInference } from '@vigia/ias/epi/item-evidence'
import { epiEvidence } from '@vigia/ias/tasks/epi'
import { toText } from '@vigia/testing/table'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import { openStill } from '@vigia/video/testing/still'
import { createModelRunner, type ModelRunner } from '@vigia/vision/model-runner'
import { createPeopleRegions } from '@vigia/vision/people-regions'
import type { Track } from '@vigia/vision/track-state'
import type { DataSet } from '../data-set.ts'
import { unusableOf } from '../jobs.ts'
import { type PersonLabel, parsePersonLabels } from '../ppe-labels.ts'
import type { ModelResult } from '../result.ts'
import { boundsOf, type PersonResult, tablesOf } from './person-result.ts'

/** The data set whose people are labelled. */
const SET = 'ppe'
const labels = new URL('../../../labels/ppe-people.csv', import.meta.url)
/** A helmet of another kind is neither a hard hat nor a bare head or a cap. */
const HARD_HAT = { hard_hat: true, bare: false, cap_or_hat: false, motorcycle_helmet: null, not_visible: null } as const
/** Weaker detections are no evidence in the product. */
const MIN_CONFIDENCE = 0.2

interface PpeOptions {
  readonly dataDir: string
  readonly modelsFolder: string | null
}

/** Prints the figures of `measurePeople`. Throws VigiaError without the pictures. */
export async function evaluatePpe({ dataDir, modelsFolder }: PpeOptions, { print }: TrialOutput): Promise<Result> {
  const people = await measurePeople(dataDir, modelsFolder)
  print(tablesOf(people).map(toText).join('\n\n'))
  return { passed: boundsOf(people).every(({ ok }) => ok) }
}

/** The measured people of a data folder; none without all of their pictures, or without a usable model. */
export async function peopleOf(
  { sets }: DataSet,
  models: readonly ModelResult[],
  { dataDir, modelsFolder }: PpeOptions,
): Promise<PersonResult[]> {
  const there = new Set(sets.flatMap(({ stills }) => stills.map(({ path }) => path)))
  const isWhole = (await labelledPeople()).every(({ file }) => there.has(join(dataDir, SET, file)))
  return isWhole && unusableOf(models, 'epi') === null ? await measurePeople(dataDir, modelsFolder) : []
}

const labelledPeople = async () => parsePersonLabels(await readFile(labels, 'utf8'))

/**
 * Measures the model of `epi` on the people of `ppe/` that `apps/lab/labels` states, with one inference per person in
 * the region of the product. Throws VigiaError without the pictures or with other pictures.
 */
async function measurePeople(dataDir: string, modelsFolder: string | null): Promise<PersonResult[]> {
  const people = await labelledPeople()
  const runner = await openModelRunner(modelsFolder)
  try {
    const results: PersonResult[] = []
    for (const [file, some] of Map.groupBy(people, ({ file }) => file))
      results.push(...(await inspect(runner, join(dataDir, SET, file), some)))
    return results
  } finally {
    await runner.close()
  }
}

async function openModelRunner(folder: string | null): Promise<ModelRunner> {
  const loaded = Promise.withResolvers<void>()
  const runner = createModelRunner({ folder, onChange: loaded.resolve, onBroken: loaded.reject })
  runner.need(new Set(['epi']))
  await loaded.promise
  return runner
}

async function inspect(runner: ModelRunner, path: string, people: readonly PersonLabel[]): Promise<PersonResult[]> {
  const bytes = await readFile(path).catch(() => {
    throw new VigiaError('validacao', { detalhe: `Falta a imagem rotulada ${path}. Diga a pasta em --data.` })
  })
  if (people.some(({ sha256 }) => sha256 !== createHash('sha256').update(bytes).digest('hex')))
    throw new VigiaError('validacao', { detalhe: `${path} não é a imagem rotulada. Use os dados originais.` })
  const still = await openStill(bytes)
  const model = runner.model('epi')
  if (!still || !model) throw new VigiaError('interno', { detalhe: `${path} ou o modelo de epi não pôde ser lido.` })
  try {
    const { frame } = still
    const tracks = people.map(trackOf)
    const budget = people.length
    const plan = createPeopleRegions().plan({ frame, input: model.input, motion: [], tracks, atMs: 0, budget })
    const regions = [...new Set(plan.map(({ region }) => region))]
    const options = { minConfidence: MIN_CONFIDENCE }
    const found = regions.length === 0 ? [] : await runInference(runner, 'epi', frame, regions, options)
    const evidence = epiEvidence(found, tracks, plan)
    return people.map(({ box, headBox, head, vest }, id) => {
      const seen = evidence.get(id)
      return {
        personPx: box.h * frame.height,
        headPx: headBox && Math.min(headBox.w * frame.width, headBox.h * frame.height),
        worn: {
          capacete: HARD_HAT[head],
          colete: { vest: true, no_vest: false, not_visible: null }[vest],
        },
        missing: seen ? missingInInference(seen, itensEpi, Number(calibracaoPadrao.epi.conf)) : [],
      }
    })
  } finally {
    await still.release()
  }
}

const trackOf = ({ box }: PersonLabel, id: number): Track => ({
  id,
  rotulo: 'person',
  confianca: 1,
  box,
  hits: 1,
  firstSeenMs: 0,
  lastSeenMs: 0,
  misses: 0,
  predicted: false,
  thing: false,
  stillMs: 0,
  trail: [{ atMs: 0, box }],
})
