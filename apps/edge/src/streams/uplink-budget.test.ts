import type { Prioridade } from '@vigia/contracts/ao-vivo'
import { describe, expect, it } from 'vitest'
import { type BudgetSeat, createUplinkBudget, type UplinkBudget } from './uplink-budget.ts'

/** Parts of 250 ms, eight a segment: 0.46 Mbit/s, of which the first parts are 0.1 Mbit/s. */
const PART_MS = 250
const PARTS = 8
const FIRST_BYTES = 24_000
const BYTES = 13_000
const STEP_MS = 10
const RTT_MS = 40
const BYTES_PER_MS_OF_MBIT = 125

interface Stream {
  readonly seat: BudgetSeat
  readonly scale: number
  produced: number
  skipping: boolean
  sent: number
  keys: number
  ended: boolean
}

/** Streams behind a modelled line that delivers in order. Its clock advances only in `run`. */
function startLine(mbits: number, uplinkMbits: number | null) {
  let at = 0
  const line = { isFree: true, mostDelayMs: 0, mbits }
  const queue: { bytes: number; arrive(): void }[] = []
  let answers: { readonly at: number; answer(): void }[] = []
  const streams: Stream[] = []
  const budget: UplinkBudget = createUplinkBudget({ uplinkMbits, isLineFree: () => line.isFree, now: () => at })

  function ping({ seat }: Stream): void {
    const answer = () => {
      if (seat.answered()) ping(stream)
    }
    const stream = streams.find((one) => one.seat === seat) as Stream
    queue.push({ bytes: 6, arrive: () => answers.push({ at: at + RTT_MS, answer }) })
  }

  function produce(stream: Stream): void {
    const indice = stream.produced % PARTS
    const bytes = stream.scale * (indice === 0 ? FIRST_BYTES : BYTES)
    const parte = {
      ...({ tipo: 'parte', chave: indice === 0, indice, segmento: 0, instante: at } as const),
      duracao: PART_MS * 90,
      dados: new Uint8Array(bytes),
    }
    stream.produced++
    stream.seat.produced(parte)
    if (stream.ended) return
    if (!stream.seat.maySend(parte) || (stream.skipping && indice > 0)) {
      stream.skipping = true
      return
    }
    stream.skipping = false
    stream.sent += bytes
    if (indice === 0) stream.keys++
    queue.push({ bytes, arrive: () => {} })
    if (stream.seat.sent(bytes)) ping(stream)
  }

  function drain(): void {
    let capacity = line.mbits * BYTES_PER_MS_OF_MBIT * STEP_MS
    for (let first = queue[0]; first && capacity > 0; first = queue[0]) {
      const passed = Math.min(capacity, first.bytes)
      first.bytes -= passed
      capacity -= passed
      if (first.bytes > 0) break
      queue.shift()
      first.arrive()
    }
    const due = answers.filter((one) => one.at <= at)
    answers = answers.filter((one) => one.at > at)
    for (const { answer } of due) answer()
  }

  return {
    line,
    budget,
    add(prioridade: Prioridade, scale = 1): Stream {
      const end = () => {
        stream.ended = true
        stream.seat.leave()
      }
      const seat = budget.join(prioridade, end)
      const stream: Stream = { seat, scale, produced: 0, skipping: false, sent: 0, keys: 0, ended: false }
      streams.push(stream)
      return stream
    },
    /** Returns the rate of each stream in this time, in Mbit/s. */
    run(seconds: number): number[] {
      const before = streams.map(({ sent }) => sent)
      line.mostDelayMs = 0
      for (let step = 0; step < (seconds * 1_000) / STEP_MS; step++) {
        at += STEP_MS
        for (const [index, stream] of streams.entries())
          if (!stream.ended && (at + index * 70) % PART_MS < STEP_MS) produce(stream)
        drain()
        const waiting = queue.reduce((sum, { bytes }) => sum + bytes, 0)
        line.mostDelayMs = Math.max(line.mostDelayMs, waiting / (line.mbits * BYTES_PER_MS_OF_MBIT))
      }
      return streams.map(({ sent }, index) => ((sent - (before[index] ?? 0)) * 8) / seconds / 1e6)
    },
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

describe('the budget of the uplink', () => {
  it('limits nothing while the line is wide enough', () => {
    const { add, run, budget } = startLine(20, null)
    for (let index = 0; index < 16; index++) add('mosaico')
    run(10)
    expect(Math.min(...run(20))).toBeCloseTo(0.46, 2)
    expect(budget.limit).toBeNull()
  })

  it.each([2, null])('keeps the line free for events with 16 tiles on 2 Mbit/s (set: %s)', (set) => {
    const { add, run, line } = startLine(2, set)
    const tiles = Array.from({ length: 16 }, () => add('mosaico'))
    run(10)
    expect(line.mostDelayMs).toBeLessThan(1_000)
    const before = tiles.map(({ keys }) => keys)
    expect(sum(run(60))).toBeGreaterThan(0.6)
    expect(line.mostDelayMs).toBeLessThan(set === null ? 1_000 : 750)
    // The remaining tiles show at least every fourth keyframe.
    const shown = tiles.flatMap(({ keys, ended }, index) => (ended ? [] : [keys - (before[index] ?? 0)]))
    expect(shown.length).toBeGreaterThan(8)
    expect(Math.min(...shown)).toBeGreaterThan(6)
  })

  it('serves the opened camera first', () => {
    const { add, run } = startLine(2, 2)
    const tiles = Array.from({ length: 4 }, () => add('mosaico'))
    run(10)
    add('aberta', 3)
    run(10)
    expect(run(20).at(-1)).toBeCloseTo(3 * 0.46, 1)
    expect(tiles.filter(({ ended }) => ended).length).toBeGreaterThan(0)
  })

  it('has capacity for opened cameras only when they use all of it', () => {
    const { add, run, budget } = startLine(1, 1)
    for (let index = 0; index < 10; index++) {
      expect(budget.hasCapacity('mosaico')).toBe(true)
      add('aberta')
    }
    run(5)
    expect([budget.hasCapacity('aberta'), budget.hasCapacity('mosaico')]).toEqual([true, false])
  })

  it('finds the rate of a line again after it became narrow and wide', () => {
    const { add, run, line, budget } = startLine(8, null)
    add('aberta', 3)
    expect(run(20)[0]).toBeCloseTo(1.38, 1)
    line.mbits = 0.3
    run(20)
    run(20)
    expect(line.mostDelayMs).toBeLessThan(3_000)
    line.mbits = 8
    run(90)
    expect(run(20)[0]).toBeCloseTo(1.38, 1)
    expect(budget.limit).toBeGreaterThan(0)
  })

  it('sends nothing while an event waits', () => {
    const { add, run, line } = startLine(8, null)
    add('aberta')
    line.isFree = false
    expect(run(5)).toEqual([0])
  })
})
