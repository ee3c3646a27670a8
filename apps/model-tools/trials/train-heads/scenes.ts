import type { Labelled } from './sources.ts'

/** Pictures with a higher cosine of their centred features show one scene. */
const SAME_SCENE = 0.8
/** Letters that a name needs, apart from its number, before it names a video. */
const LEAST_LETTERS = 4
/** Names that many photographs share. */
const common = new Set(['cloudy', 'construction', 'flare', 'image', 'rain', 'shine', 'sunrise', 'youtube'])

export interface Seen {
  readonly picture: Labelled
  /** Features of the whole picture. */
  readonly features: Float32Array
}

/**
 * Fold 0 to `folds` − 1 of each picture, by file. Pictures of one scene are in one fold: frames of one video, versions
 * of one photograph, and pictures with similar features.
 */
export function foldsByScene(seen: readonly Seen[], folds: number): ReadonlyMap<string, number> {
  const parents = seen.map((_, at) => at)
  const root = (at: number): number => {
    let found = at
    while (parents[found] !== found) found = parents[found] ?? found
    return found
  }
  const join = (a: number, b: number) => {
    parents[Math.max(root(a), root(b))] = Math.min(root(a), root(b))
  }
  const byName = new Map<string, number>()
  for (const [at, { picture }] of seen.entries()) {
    const name = sceneName(picture)
    const first = byName.get(name)
    if (first === undefined) byName.set(name, at)
    else join(first, at)
  }
  const signatures = centred(seen)
  for (const [a, one] of signatures.entries())
    for (let b = a + 1; b < signatures.length; b++) if (cosine(one, signatures[b] ?? one) > SAME_SCENE) join(a, b)
  return spread(
    seen.map(({ picture }, at) => ({ file: picture.file, scene: root(at) })),
    folds,
  )
}

/** Largest scenes first, each into the smallest fold. */
function spread(pictures: readonly { file: string; scene: number }[], folds: number): ReadonlyMap<string, number> {
  const scenes = Map.groupBy(pictures, ({ scene }) => scene)
  const sizes = Array.from({ length: folds }, () => 0)
  const foldOf = new Map<string, number>()
  for (const scene of [...scenes.values()].toSorted((a, b) => b.length - a.length)) {
    const fold = sizes.indexOf(Math.min(...sizes))
    sizes[fold] = (sizes[fold] ?? 0) + scene.length
    for (const { file } of scene) foldOf.set(file, fold)
  }
  return foldOf
}

/** Name of the video or photograph: the name at the origin without frame numbers. */
function sceneName({ origin, file }: Labelled): string {
  const name = origin.replace(/(_mp4)?[-_]?(frames?_)?\d+([-_]+(png|jpg|\d+-?))*$/, '').replace(/[-_]+$/, '')
  const telling = name.replaceAll(/[^a-z]/gi, '').length >= LEAST_LETTERS && !common.has(name.toLowerCase())
  return telling ? name : `${file.split('/')[0]} ${origin}`
}

/** Features minus their mean over all pictures, of length 1. */
function centred(seen: readonly Seen[]): Float32Array[] {
  const width = seen[0]?.features.length ?? 0
  const mean = new Float64Array(width)
  for (const { features } of seen)
    for (const [at, value] of features.entries()) mean[at] = (mean[at] ?? 0) + value / seen.length
  return seen.map(({ features }) => {
    const moved = features.map((value, at) => value - (mean[at] ?? 0))
    const length = Math.hypot(...moved) || 1
    return moved.map((value) => value / length)
  })
}

function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
