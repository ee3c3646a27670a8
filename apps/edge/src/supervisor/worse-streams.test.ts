import { beforeEach, expect, it } from 'vitest'
import { createHostSlots, type HostSlots } from './host-slots.ts'

/** Pictures a second of a stream. */
const USUAL = 25
const owner = {}
let timeMs: number
let slots: HostSlots
let learned: number[]
/** Answers to the further connections. */
let answers: string[]
let tickets: number
/** Pictures so far and pictures a second by camera. */
let cameras: Map<number, { host: string; pictures: number; rate: number }>

beforeEach(() => {
  timeMs = 0
  learned = []
  answers = []
  tickets = 100
  cameras = new Map()
  slots = createHostSlots(2, {
    closingMs: 0,
    now: () => timeMs,
    onLearned: (_host, connections) => learned.push(connections),
  })
  slots.limit(['a', 'b'].map((host) => ({ host, connections: Number.POSITIVE_INFINITY, cameras: 1 })))
  watch(1, 'a')
})

function watch(id: number, host: string) {
  slots.request(owner, { ticket: id, host, use: 'analysis' }, () => {})
  slots.opened(owner, id)
  cameras.set(id, { host, pictures: 0, rate: USUAL })
}
function pass(seconds: number) {
  for (let second = 0; second < seconds; second++) {
    timeMs += 1000
    for (const [id, one] of cameras) {
      one.pictures += one.rate
      slots.measured(one.host, id, one.pictures)
    }
  }
}
function rate(value: number, id = 1) {
  const one = cameras.get(id)
  if (one) one.rate = value
}
const open = (host = 'a') => {
  const ticket = tickets++
  slots.request(owner, { ticket, host, use: 'live' }, (kind) => answers.push(kind))
  slots.opened(owner, ticket)
  return () => slots.release(owner, ticket)
}
/** A further connection for 30 s, in which the stream has so many pictures a second. Answers what it got. */
function further(during: number, after = USUAL, host = 'a', before = USUAL) {
  pass(50)
  rate(before)
  pass(4)
  rate(USUAL)
  pass(6)
  answers = []
  const close = open(host)
  rate(during)
  pass(15)
  const got = answers.at(-1)
  pass(15)
  close()
  rate(after)
  pass(30)
  return got
}

it.each([
  ['a lower frame rate', 12],
  ['losses up to each keyframe', 1],
  ['a stall', 0],
])('ends a further connection that again brings %s, and opens no more', async (_name, during) => {
  expect(further(during)).toBe('granted')
  expect(learned).toEqual([])
  expect(further(during)).toBe('revoked')
  expect([learned, slots.learned('a')]).toEqual([[1], 1])
  open()
  await expect.poll(() => answers.at(-1)).toBe('full')
})

it.each([
  ['a rate that hardly falls', () => further(20)],
  [
    'a stream that stays worse',
    () => {
      rate(USUAL)
      further(5, 5)
    },
  ],
  ['a stream that varies', () => further(5, USUAL, 'a', 8)],
])('does not blame a further connection for %s', (_name, one) => {
  for (let n = 0; n < 4; n++) one()
  expect([learned, slots.learned('a')]).toEqual([[], null])
})

/** A further connection of 3 s, as for one picture, in which the stream has so many pictures a second. */
function short(during: number, after = USUAL) {
  pass(40)
  answers = []
  const close = open()
  rate(during)
  pass(3)
  const got = answers.at(-1)
  close()
  rate(after)
  pass(30)
  rate(USUAL)
  return got
}

it('adds what connections for one picture take from the stream, and opens no more', async () => {
  for (let n = 0; n < 3; n++) expect(short(5)).toBe('granted')
  expect(learned).toEqual([])
  expect(short(5)).toBe('revoked')
  expect([learned, slots.learned('a')]).toEqual([[1], 1])
  open()
  await expect.poll(() => answers.at(-1)).toBe('full')
})

it.each([
  ['that take nothing', (n: number) => short(n % 2 === 0 ? 5 : USUAL)],
  [
    'before a longer one that takes nothing at first',
    () => {
      short(5)
      pass(40)
      const close = open()
      pass(6)
      rate(5)
      pass(3)
      rate(USUAL)
      pass(30)
      close()
    },
  ],
  ['after which the stream stays worse', () => short(5, 5)],
  [
    'an hour apart',
    () => {
      short(5)
      pass(3600)
    },
  ],
])('does not blame connections for one picture %s', (_name, one) => {
  for (let n = 0; n < 8; n++) one(n)
  expect([learned, slots.learned('a')]).toEqual([[], null])
})

it('blames no further connection while the stream also becomes worse without one', () => {
  pass(60)
  rate(5)
  pass(20)
  rate(USUAL)
  pass(20)
  for (let n = 0; n < 3; n++) expect(further(5)).toBe('granted')
  expect(learned).toEqual([])
})

it('blames no device while the streams of another one become worse too', () => {
  watch(2, 'b')
  const both = () => {
    pass(60)
    const close = open()
    rate(5)
    rate(5, 2)
    pass(15)
    close()
    rate(USUAL)
    rate(USUAL, 2)
    pass(40)
  }
  for (let n = 0; n < 3; n++) both()
  expect(learned).toEqual([])
})

it('forgets what it learned when the stream stays worse after the end of the connection', () => {
  further(5)
  expect(further(5, 5)).toBe('revoked')
  expect(learned).toEqual([1])
  expect(slots.learned('a')).toBeNull()
})

it('forgets what it learned of a stream that becomes worse by itself', () => {
  for (let n = 0; n < 2; n++) further(5)
  expect(slots.learned('a')).toBe(1)
  for (let n = 0; n < 2; n++) {
    pass(60)
    rate(5)
    pass(20)
    rate(USUAL)
  }
  expect(slots.learned('a')).toBeNull()
})

it('keeps the further connections that were open before', () => {
  pass(60)
  open()
  pass(30)
  for (let n = 0; n < 2; n++) further(5)
  expect([learned, slots.learned('a')]).toEqual([[2], 2])
})

it('judges no connection to another device, and none of a stream that begins again', () => {
  watch(2, 'b')
  for (let n = 0; n < 3; n++) further(5, USUAL, 'b')
  expect(learned).toEqual([])
  for (let n = 0; n < 3; n++) {
    const one = cameras.get(1)
    if (one) one.pictures = 0
    pass(4)
    const close = open()
    rate(5)
    pass(10)
    close()
    rate(USUAL)
    pass(10)
  }
  expect(learned).toEqual([])
})
