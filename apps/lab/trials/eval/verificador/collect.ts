import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { type Box, iou } from '@vigia/ias/geometry'
import { nextVerdict } from '@vigia/ias/next-verdict'
import { openPicture } from '@vigia/vision/picture'
import { encodeJpeg } from '@vigia/vision/testing/jpeg'
import type { StillSet } from '../data-set.ts'
import type { Pixels } from '../stress/pixels.ts'
import { type Campus, type CampusFrame, encodeAgain, FITTED_CLIP, FRAME_MS, readFrames } from './campus.ts'
import { CANDIDATE_MIN, type Labelled, type VerifierBench } from './judge-candidates.ts'
import type { Outcome } from './outcome.ts'
import { mayShow } from './unlabelled.ts'
import { makeVersion, type Version, versions } from './versions.ts'

/** A candidate with this overlap shows the labelled object; below the second value it shows none. */
const SAME_IOU = 0.5
const OTHER_IOU = 0.1
/** Maximum of false candidates of one picture, most confident first: a still thing is the same in every frame. */
const MAX_FALSE = 3
const MAIN = { width: 768, height: 576 }
const SUB = { width: 384, height: 288 }
const SMALL = { width: 352, height: 240 }
const LOW_BIT_RATE = 48_000
/** Frames from the candidate to its further cuts: one before and one after, at least 400 ms apart as at the edge. */
const FURTHER = [-5, 5]
/** A box with this overlap 500 ms later is of the same track. */
const TRACK_IOU = 0.3
const SEED = 20_261_122

type Notify = (fraction: number, title: string) => void
const overlap = (box: Box, others: readonly Box[]): number => Math.max(0, ...others.map((other) => iou(box, other)))
const toJpeg = ({ rgb, width, height }: Pixels): Promise<Buffer> => encodeJpeg(rgb, width, height)

/** Frames of the campus at several sizes and qualities. The sub stream is also judged on the main stream's picture. */
export async function judgeCampus(
  bench: VerifierBench,
  { frames, things }: Campus,
  folder: string,
  notify: Notify,
): Promise<Outcome[]> {
  const found: Outcome[] = []
  let done = 0
  for (const clip of new Set(frames.map((one) => one.clip))) {
    const mine = frames.filter((one) => one.clip === clip)
    const numbers = new Set(mine.map(({ number }) => number))
    const half = new Set(mine.filter((_, index) => index % 2 === 0).map(({ number }) => number))
    const [main, sub, small] = await Promise.all([MAIN, SUB, SMALL].map((size) => readFrames(clip, numbers, size)))
    const further = new Set([...numbers].flatMap((number) => FURTHER.map((distance) => number + distance)))
    const around = await readFrames(clip, further, SUB)
    const low = await readFrames(clip, half, SUB, await encodeAgain(clip, SUB, LOW_BIT_RATE, folder))
    for (const frame of mine) {
      notify(done++ / frames.length, `campus-${clip}, quadro ${frame.number}`)
      const judge = async (pixels: Pixels | undefined, versao: Outcome['versao'], isSub = true) => {
        if (!pixels) return
        const fonte = `campus ${pixels.width}x${pixels.height}`
        const seen = versao === 'taxa_baixa' ? pixels : makeVersion(pixels, versao, SEED + frame.number)
        const jpeg = await toJpeg(seen)
        const labelled = labelPeople(await bench.candidates(jpeg, 'pessoa'), frame, things)
        const judged = await Promise.all(labelled.map((one) => bench.judge(jpeg, one, { fonte, versao })))
        found.push(...judged)
        if (versao === 'limpa' && isSub && pixels.width === SUB.width) {
          const later = FURTHER.map((distance) => ({ distance, pixels: around.get(frame.number + distance) }))
          for (const [at, one] of labelled.entries()) {
            const first = judged[at]
            if (first) found.push(await judgeFurther(bench, one, first, later))
          }
        }
        const principal = main?.get(frame.number)
        if (versao === 'limpa' && isSub && principal && clip !== FITTED_CLIP)
          found.push(...(await judgeAgain(bench, await toJpeg(principal), labelled, fonte)))
      }
      await judge(sub?.get(frame.number), 'limpa')
      if (!half.has(frame.number)) continue
      for (const versao of versions.slice(1)) await judge(sub?.get(frame.number), versao)
      await judge(low.get(frame.number), 'taxa_baixa')
      await judge(main?.get(frame.number), 'limpa', false)
      await judge(small?.get(frame.number), 'limpa', false)
    }
  }
  return found
}

interface Further {
  readonly distance: number
  readonly pixels: Pixels | undefined
}

/** The verdict after further cuts of the track, each with the first model's own box, as the edge sends them. */
async function judgeFurther(
  bench: VerifierBench,
  one: Labelled,
  first: Outcome,
  further: readonly Further[],
): Promise<Outcome> {
  const grupo = 'pessoa_recortes'
  if (first.certeza === 'alta') return { ...first, grupo }
  const later = []
  for (const { distance, pixels } of further) {
    if (!pixels) continue
    const jpeg = await toJpeg(pixels)
    const candidates = (await bench.candidates(jpeg, 'pessoa')).toSorted((a, b) => iou(b, one.box) - iou(a, one.box))
    const [box] = candidates.filter((candidate) => iou(candidate, one.box) >= TRACK_IOU)
    if (!box) continue
    const opiniao = await bench.judge(jpeg, { ...one, box }, first, true)
    later.push({ fonte: 'sub', dtMs: distance * FRAME_MS, redetectada: true, opiniao } as const)
  }
  const { decisao, certeza, primeira, confianca } = first
  const current = { decisao, certeza, primeiraConfianca: primeira ?? 0, probabilidade: confianca }
  const next = nextVerdict(current, later)
  return { ...first, grupo, ...(next && { decisao: next.decisao, certeza: next.certeza, confianca: next.confianca }) }
}

/** Candidates of the sub stream, judged on the picture of the main stream. */
async function judgeAgain(bench: VerifierBench, principal: Buffer, labelled: readonly Labelled[], fonte: string) {
  const found: Outcome[] = []
  for (const one of labelled)
    found.push(await bench.judge(principal, { ...one, grupo: 'pessoa_principal' }, { fonte, versao: 'limpa' }))
  return found
}

/** The same for all frames of one clip. */
export async function judgeOnMain(bench: VerifierBench, { frames, things }: Campus, clip: string): Promise<Outcome[]> {
  const mine = frames.filter((one) => one.clip === clip)
  const numbers = new Set(mine.map(({ number }) => number))
  const [main, sub] = await Promise.all([MAIN, SUB].map((size) => readFrames(clip, numbers, size)))
  const found: Outcome[] = []
  for (const frame of mine) {
    const [small, large] = [sub?.get(frame.number), main?.get(frame.number)]
    if (!small || !large) continue
    const labelled = labelPeople(await bench.candidates(await toJpeg(small), 'pessoa'), frame, things)
    found.push(...(await judgeAgain(bench, await toJpeg(large), labelled, `quadro ${frame.number}`)))
  }
  return found
}

type Candidate = Labelled['box']

/** Labels of candidates; those near a person and those without a label are left out. */
function labelPeople(candidates: readonly Candidate[], { people }: CampusFrame, things: readonly Box[]): Labelled[] {
  const as = (verdadeiro: boolean) => (box: Candidate) =>
    ({ box, verdadeiro, grupo: 'pessoa', detected: true }) as const
  const isThing = (box: Box) => overlap(box, people) < OTHER_IOU && overlap(box, things) >= SAME_IOU
  return [
    ...candidates.filter((box) => overlap(box, people) >= SAME_IOU).map(as(true)),
    ...candidates.filter(isThing).slice(0, MAX_FALSE).map(as(false)),
  ]
}

/** Labelled pictures, each as it is and spoilt in one way. */
export async function judgeStills(bench: VerifierBench, sets: readonly StillSet[], notify: Notify): Promise<Outcome[]> {
  const found: Outcome[] = []
  const all = sets.flatMap((set) => set.stills.map((still) => ({ set, still })))
  for (const [index, { set, still }] of all.entries()) {
    notify(index / all.length, still.name)
    const picture = await openPicture(await readFile(still.path)).catch(() => null)
    // A PNG or a damaged picture: the product takes JPEGs only.
    if (!picture) continue
    const { width, height } = picture
    const region = { left: 0, top: 0, width, height }
    const rgb = Buffer.from(await picture.cut(region, { width, height, format: 'rgb' }))
    const spoilt = versions[1 + (index % (versions.length - 1))] ?? 'limpa'
    for (const versao of ['limpa', spoilt] satisfies Version[]) {
      const jpeg = await toJpeg(makeVersion({ rgb, width, height }, versao, SEED + index))
      for (const one of await labelStill(bench, jpeg, set, still))
        found.push(await bench.judge(jpeg, one, { fonte: set.name, versao }))
    }
  }
  return found
}

async function labelStill(
  bench: VerifierBench,
  jpeg: Buffer,
  set: StillSet,
  { boxes, path }: StillSet['stills'][number],
): Promise<Labelled[]> {
  const classes = new Set(set.classes.map(({ rotulo }) => rotulo))
  const boxesOf = (...rotulos: string[]) => boxes.filter(({ product }) => rotulos.includes(product.rotulo))
  const found: Labelled[] = []
  const add = (some: readonly Candidate[], grupo: Labelled['grupo'], verdadeiro: boolean) => {
    for (const box of verdadeiro ? some : some.slice(0, MAX_FALSE))
      found.push({ box, grupo, verdadeiro, detected: true })
  }
  const people = await bench.candidates(jpeg, 'pessoa')
  if (classes.has('person')) {
    const labels = boxesOf('person').map(({ box }) => box)
    add(
      people.filter((box) => overlap(box, labels) >= SAME_IOU),
      'pessoa',
      true,
    )
  } else if (classes.size === 0 && !mayShow('person', basename(path))) add(people, 'pessoa', false)
  if (classes.has('hardhat') && classes.has('no_hardhat'))
    for (const { box, product } of boxesOf('hardhat', 'no_hardhat'))
      found.push({
        box: { ...box, rotulo: 'no_hardhat', confianca: 0.5 },
        grupo: 'capacete',
        verdadeiro: product.rotulo === 'no_hardhat',
        detected: false,
      })
  const fires = await bench.candidates(jpeg, 'fogo')
  for (const [rotulo, grupo] of [
    ['fire', 'fogo'],
    ['smoke', 'fumaca'],
  ] as const) {
    const mine = fires.filter((box) => box.rotulo === rotulo && box.confianca >= CANDIDATE_MIN)
    const labels = boxesOf('fire', 'smoke').map(({ box }) => box)
    // The boxes of fires differ much between people, so a small overlap is enough.
    if (set.underFire)
      add(
        mine.filter((box) => overlap(box, labels) >= FIRE_IOU),
        grupo,
        true,
      )
    else add(mine, grupo, false)
  }
  if (set.name === PLATES) {
    const [largest] = (await bench.candidates(jpeg, 'veiculo')).toSorted((a, b) => b.w * b.h - a.w * a.h)
    if (largest && largest.w * largest.h >= CAR_AREA) add([largest], 'veiculo', true)
  } else if (set.underFire && !mayShow('vehicle', basename(path)))
    add(await bench.candidates(jpeg, 'veiculo'), 'veiculo', false)
  return found
}

const FIRE_IOU = 0.3
/** Each picture of this set shows one car, which covers at least this part of it. */
const PLATES = 'plates'
const CAR_AREA = 0.15
