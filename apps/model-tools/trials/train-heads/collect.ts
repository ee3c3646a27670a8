import { readFile } from 'node:fs/promises'
import { createDetector, type Detector } from '@vigia/vision/detector'
import { openPicture, type Picture } from '@vigia/vision/picture'
import { modelManifest } from '@vigia/vision/registry'
import { MIN_SIDE } from '@vigia/vision/second-model'
import { surroundings } from '@vigia/vision/surroundings'
import type { Samples } from './fit.ts'
import { createRandom } from './random.ts'
import type { Seen } from './scenes.ts'
import { type Labelled, labelsOf, type Task } from './sources.ts'
import { cutDamaged, drawDamage, isSpoilt } from './spoil.ts'
import { chooseTargets, type Target } from './targets.ts'
import { createFeatureReader, FEATURES, SIDE, WHOLE } from './trunk.ts'

/** A place with what its figures need. */
export interface Row extends Target {
  readonly picture: Labelled
  readonly spoilt: boolean
}

export interface Collected {
  readonly rows: readonly Row[]
  readonly samples: Samples
  readonly seen: readonly Seen[]
}

/** Confidence from which a detection of the first model is a candidate. */
const CANDIDATE = 0.1
/** Pictures prepared while the trunk runs. */
const AHEAD = 4

/** Region of the second model (packages/vision/src/second-classifier.ts). */
const context = { factor: 2, minSide: MIN_SIDE }

interface Prepared {
  readonly picture: Labelled
  readonly whole: Uint8Array
  readonly cuts: readonly { readonly place: Target; readonly spoilt: boolean; readonly pixels: Uint8Array }[]
}

/** Chooses targets of all pictures, spoils their cuts and reads their features. Damaged files are left out. */
export async function collect(
  task: Task,
  pictures: readonly Labelled[],
  seed: number,
  progress: (done: number) => void,
): Promise<Collected> {
  const trunk = await createFeatureReader()
  const first = task === 'fogo' ? await createDetector(modelManifest('fogo-nanodet-g-416')) : null
  const [rows, seen, features]: [Row[], Seen[], Float32Array[]] = [[], [], []]
  const pending = pictures.slice(0, AHEAD).map((picture) => prepare(task, picture, first, seed))
  for (const [at] of pictures.entries()) {
    const prepared = await pending.shift()
    const next = pictures[at + AHEAD]
    if (next) pending.push(prepare(task, next, first, seed))
    if (!prepared) continue
    const { picture, whole, cuts } = prepared
    seen.push({ picture, features: (await trunk.read(whole)).slice(WHOLE.from, WHOLE.to) })
    for (const { place, spoilt, pixels } of cuts) {
      rows.push({ ...place, picture, spoilt })
      features.push(await trunk.read(pixels))
    }
    progress(at + 1)
  }
  await Promise.all([trunk.close(), first?.close()])
  return { rows, seen, samples: samplesOf(task, rows, features) }
}

async function prepare(task: Task, picture: Labelled, first: Detector | null, seed: number): Promise<Prepared | null> {
  const opened = await openPicture(await readFile(picture.path)).catch(() => null)
  if (!opened) return null
  const random = createRandom(`${seed} ${picture.file}`)
  const region = { left: 0, top: 0, width: opened.width, height: opened.height }
  const candidates = first ? await candidatesOf(opened, region, first) : []
  const cuts: Prepared['cuts'][number][] = []
  for (const place of chooseTargets(task, picture, candidates, random)) {
    const damage = drawDamage(random)
    const pixels = await cutDamaged(opened, surroundings(place.box, opened, context), SIDE, damage, random)
    cuts.push({ place, spoilt: isSpoilt(damage), pixels })
  }
  const whole = await opened.cut(region, { width: SIDE, height: SIDE, format: 'rgb' })
  return { picture, whole, cuts }
}

const candidatesOf = async (picture: Picture, whole: Parameters<Picture['cut']>[0], first: Detector) =>
  await first.detect(await picture.cut(whole, first.input), { minConfidence: CANDIDATE })

function samplesOf(task: Task, rows: readonly Row[], features: readonly Float32Array[]): Samples {
  const classes = labelsOf[task].length
  const packed = { features: new Float32Array(rows.length * FEATURES), wanted: new Float32Array(rows.length * classes) }
  for (const [at, row] of rows.entries()) {
    packed.features.set(features[at] ?? [], at * FEATURES)
    packed.wanted.set(row.wanted, at * classes)
  }
  return { count: rows.length, width: FEATURES, classes, ...packed }
}
