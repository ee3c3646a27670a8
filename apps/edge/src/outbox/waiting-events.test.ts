import type { NomeIa } from '@vigia/contracts/ias'
import { expect, it } from 'vitest'
import { candidate, jpeg } from './testing/candidates.ts'
import { createWaitingEvents } from './waiting-events.ts'

const batchOf = (cameraId: number, ia: NomeIa, pictureBytes = 0) => ({
  state: null,
  events: [
    {
      candidate: candidate(cameraId, ia),
      media: pictureBytes > 0 ? [{ papel: 'crop' as const, bytes: jpeg(pictureBytes) }] : [],
    },
  ],
})

/** Takes all items: IA of each event with `+` for a picture, or the number of dropped events. */
function takeAll(waiting: ReturnType<typeof createWaitingEvents>): string[] {
  const taken: string[] = []
  for (let next = waiting.first(); next; next = waiting.first()) {
    if ('loss' in next) taken.push(`${next.loss.cameraId}: ${next.loss.count} lost`)
    else if ('events' in next.batch)
      for (const { candidate: one, media } of next.batch.events)
        taken.push(`${one.camera_id}: ${one.ia}${media.length > 0 ? '+' : ''}`)
    waiting.stored()
  }
  return taken
}

it('drops pictures, then events, the least severe first, and keeps the order of the losses', () => {
  const waiting = createWaitingEvents(20_000)
  waiting.push(batchOf(1, 'invasao', 3_000))
  waiting.push(batchOf(1, 'fogo', 3_000))
  waiting.push(batchOf(2, 'invasao', 3_000))
  waiting.push(batchOf(1, 'invasao', 3_000))
  expect(takeAll(waiting)).toEqual(['1: invasao', '1: fogo+', '2: invasao', '1: invasao+'])
  for (const ia of ['fogo', 'invasao', 'invasao', 'fogo', 'invasao', 'fogo'] as const) waiting.push(batchOf(1, ia))
  for (let n = 0; n < 4; n++) waiting.push(batchOf(2, 'fogo'))
  expect(waiting.count).toBe(8)
  expect(takeAll(waiting)).toEqual([
    '1: fogo',
    '1: 2 lost',
    '1: fogo',
    '1: invasao',
    '1: fogo',
    '2: fogo',
    '2: fogo',
    '2: fogo',
    '2: fogo',
  ])
  expect(waiting.count).toBe(0)
})

it('keeps the newest event of the highest severity when no other is left', () => {
  const waiting = createWaitingEvents(1)
  waiting.push(batchOf(1, 'fogo'))
  waiting.push(batchOf(1, 'fogo', 100))
  waiting.push(batchOf(1, 'invasao'))
  expect(takeAll(waiting)).toEqual(['1: 1 lost', '1: fogo', '1: 1 lost'])
})

it('bounds the number of losses while it drops for a long time', () => {
  const waiting = createWaitingEvents(10_000)
  for (let n = 0; n < 5_000; n++) waiting.push(batchOf(1 + (n % 3), n % 7 === 0 ? 'fogo' : 'invasao'))
  let items = 0
  let lost = 0
  for (let next = waiting.first(); next; next = waiting.first()) {
    items++
    lost += 'loss' in next ? next.loss.count : 1
    waiting.stored()
  }
  expect(lost).toBe(5_000)
  expect(items).toBeLessThan(20)
})
