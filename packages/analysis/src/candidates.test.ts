import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { NomeIa } from '@vigia/contracts/ias'
import type { Fired } from '@vigia/ias/observation'
import type { HeldFrame } from '@vigia/video/stream-reader'
import { openStill } from '@vigia/video/testing/still'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Outcome } from './analyses.ts'
import { createCandidates } from './candidates.ts'
import { createFramePictures } from './frame-pictures.ts'
import type { SeenEvent, SeenEvidence } from './model.ts'

const patio = fileURLToPath(new URL('../../vision/fixtures/patio.jpg', import.meta.url))
let held: HeldFrame
beforeAll(async () => {
  const opened = await openStill(await readFile(patio))
  if (!opened) throw new Error('not readable')
  held = opened
})
afterAll(() => held.release())

const track = (id: number, w: number) => ({
  id,
  rotulo: 'person',
  confianca: 0.8,
  box: { x: 0.1 * id, y: 0.4, w, h: 0.3 },
  hits: 5,
  firstSeenMs: 0,
  lastSeenMs: 0,
  misses: 0,
  predicted: false,
  stillMs: 0,
  thing: false,
  trail: [],
  motion: 1,
  evidence: {},
})
const firing = (ia: NomeIa, ...trackIds: number[]): Fired => {
  const about = { confianca: 0.8, rotulos: ['person'], zona: null, detalhes: {} }
  return { ia, trackIds, caixas: [{ rotulo: 'person', confianca: 0.8, ...track(1, 0.1).box }], ...about }
}
const outcome = (ia: NomeIa, state: unknown, rest: Partial<Outcome> = {}): Outcome => ({
  ia,
  state,
  calibracao: {},
  fired: [],
  promising: [],
  chances: [],
  ...rest,
})
const seen = (atMs: number, ...tracks: ReturnType<typeof track>[]) => ({
  pictures: createFramePictures(held.frame, atMs),
  time: { epochMs: 1_000 + atMs, streamMs: atMs },
  tracks,
  modelo: () => 'm',
})

it('reports the state of a delivered event at once, while events of other analyses are pending', async () => {
  const states: unknown[] = []
  const candidates = createCandidates({
    cameraId: 1,
    onEvents: () => states.push(candidates.states().map(({ ia, state }) => [ia, state])),
  })
  await candidates.take([outcome('invasao', 'a'), outcome('permanencia', 'b')], seen(0, track(1, 0.1)))
  const fired = [
    outcome('invasao', 'A', { fired: [firing('invasao', 1)] }),
    outcome('permanencia', 'B', { fired: [firing('permanencia', 1)] }),
  ]
  await candidates.take(fired, seen(200, track(1, 0.1)))
  expect(states.at(-1)).toEqual([
    ['invasao', 'A'],
    ['permanencia', 'b'],
  ])
  await candidates.take([outcome('permanencia', 'C')], seen(400, track(1, 0.1)))
  expect(candidates.states()).toEqual([{ cameraId: 1, ia: 'permanencia', state: 'C' }])
})

it('considers only a few objects per frame, and every object within a few frames', async () => {
  const events: SeenEvent[] = []
  const candidates = createCandidates({ cameraId: 1, onEvents: (more) => events.push(...more) })
  const promising = [1, 2, 3, 4, 5, 6]
  const group = promising.map((id) => track(id, 0.2 - 0.01 * id))
  for (const atMs of [0, 200]) await candidates.take([outcome('invasao', null, { promising })], seen(atMs, ...group))
  // The smallest person is far away at the time of the event, so the best picture is an earlier one.
  const far = track(6, 0.01)
  await candidates.take([outcome('invasao', null, { fired: [firing('invasao', 6)] })], seen(400, far))
  expect(events[0]?.candidate.caixas).toMatchObject([group[5]?.box])
})

it('encodes two pictures for the event of a group, and none of its members', async () => {
  let encoded = 0
  const frame: HeldFrame['frame'] = {
    ...held.frame,
    toJpeg(...args) {
      encoded++
      return held.frame.toJpeg(...args)
    },
  }
  const candidates = createCandidates({ cameraId: 1, onEvents: () => {} })
  const group = [1, 2, 3, 4, 5, 6].map((id) => track(id, 0.1))
  const fired = [firing('aglomeracao', ...group.map(({ id }) => id))]
  const pictures = createFramePictures(frame, 0)
  await candidates.take([outcome('aglomeracao', null, { fired })], { ...seen(0, ...group), pictures })
  expect(encoded).toBe(2)
})

it('names the track of an event, differently for each tracker', async () => {
  const start = () => {
    const events: SeenEvent[] = []
    return { events, candidates: createCandidates({ cameraId: 1, onEvents: (some) => events.push(...some) }) }
  }
  const [first, second] = [start(), start()]
  const fired = [firing('invasao', 1), firing('permanencia', 1), firing('aglomeracao', 2, 1), firing('invasao')]
  for (const { candidates } of [first, second])
    await candidates.take([outcome('invasao', 'A', { fired })], seen(0, track(1, 0.1), track(2, 0.1)))
  const names = first.events.map(({ candidate }) => candidate.trilha)
  const [own, , gathering] = names
  expect(names).toEqual([expect.stringMatching(/^[\w-]{10,64}$/), own, expect.any(String), undefined])
  expect(new Set([own, gathering, second.events[0]?.candidate.trilha]).size).toBe(3)
})

it('delivers further pictures of an event, also of the main stream while the track continues', async () => {
  const events: SeenEvent[] = []
  const evidence: SeenEvidence[] = []
  const candidates = createCandidates({
    cameraId: 1,
    onEvents: (some) => events.push(...some),
    onEvidence: (one) => evidence.push(one),
  })
  const promising = [1]
  const at = (atMs: number) => seen(atMs, { ...track(1, 0.1), lastSeenMs: atMs })
  for (const atMs of [0, 200, 400]) await candidates.take([outcome('invasao', null, { promising })], at(atMs))
  await candidates.take([outcome('invasao', null, { fired: [firing('invasao', 1)] })], at(600))
  const ref = events[0]?.ref ?? ''
  expect(evidence).toEqual([])
  const principal = await candidates.principal(ref, held.frame, 1_000 + 900)
  expect(principal).toMatchObject({ fonte: 'principal', dt_ms: 300, redetectada: true })
  expect(await candidates.principal(ref, held.frame, 1_000 + 1_200)).toMatchObject({ redetectada: false })
  expect(await candidates.principal('another', held.frame, 1_000)).toBeNull()
  for (const atMs of [800, 1_000]) await candidates.take([outcome('invasao', null)], at(atMs))
  expect(evidence).toMatchObject([{ ref, cameraId: 1, pictures: [{ fonte: 'sub' }, { dt_ms: 400 }] }])
  await candidates.take([outcome('invasao', null)], seen(1_200))
  expect(await candidates.principal(ref, held.frame, 1_000 + 1_200)).toBeNull()
})
