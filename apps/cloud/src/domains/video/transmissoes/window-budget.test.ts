import type { RegistroTransmissao } from '@vigia/contracts/transmissao'
import { expect, it } from 'vitest'
import { createStreamWindow } from './stream-window.ts'
import { createWindowBudget, LEAST_WINDOW_BYTES, type WindowBudget } from './window-budget.ts'

const MIB = 1024 * 1024
const descricao = { codecs: 'avc1.4d401f', largura: 640, altura: 360, fps: 10, gop_ms: 1000 }
const inicio: RegistroTransmissao = { tipo: 'inicio', descricao, dados: Uint8Array.of(1) }

/** A stream of a root Empresa whose segments are one part of `bytes`; null: refused. */
function streamOf(budget: WindowBudget, root: number) {
  const window = createStreamWindow()
  window.add(inicio)
  const state = { isIdle: false, ended: false }
  const share = budget.admit(root, {
    window,
    get isIdle() {
      return state.isIdle
    },
    end() {
      state.ended = true
    },
  })
  if (!share) return null
  let segmento = 0
  return {
    window,
    state,
    share,
    grow(bytes: number) {
      const times = { duracao: 90_000, instante: 1_800_000_000_000 + segmento * 1_000 }
      const dados = new Uint8Array(bytes)
      window.add({ tipo: 'parte', chave: true, indice: 0, segmento: segmento++, ...times, dados })
      share.changed()
    },
  }
}
type Holder = NonNullable<ReturnType<typeof streamOf>>

function admitted(budget: WindowBudget, root: number): Holder {
  const stream = streamOf(budget, root)
  if (!stream) throw new Error('refused')
  return stream
}

/** Opens streams until one is refused. */
function openAll(budget: WindowBudget, root: number, most = 10_000): Holder[] {
  const opened: Holder[] = []
  while (opened.length < most) {
    const stream = streamOf(budget, root)
    if (!stream) return opened
    opened.push(stream)
  }
  return opened
}

it('never holds more bytes than the budget, however many windows grow', () => {
  const budget = createWindowBudget(16 * MIB)
  const streams = [1, 1, 1, 2, 2, 3].map((root) => admitted(budget, root))
  for (let round = 0; round < 16; round++)
    for (const [at, stream] of streams.entries()) {
      stream.grow((at + 1) * 200_000)
      expect(budget.heldBytes).toBeLessThanOrEqual(16 * MIB)
      const sum = streams.reduce((of, { window, state }) => of + (state.ended ? 0 : window.heldBytes), 0)
      expect(budget.heldBytes).toBe(sum)
    }
})

it('shortens windows to their newest segments before it ends a stream', () => {
  const budget = createWindowBudget(16 * MIB)
  const streams = [1, 1, 1, 1].map((root) => admitted(budget, root))
  for (let round = 0; round < 20; round++) for (const stream of streams) stream.grow(1.5 * MIB)
  expect(streams.map(({ state }) => state.ended)).toEqual([false, false, false, false])
  for (const { window } of streams) expect(window.segments.length).toBeGreaterThanOrEqual(2)
})

it('ends a stream that nobody watches first, then the newest of the root with too much', () => {
  const budget = createWindowBudget(16 * MIB)
  const streams = [1, 1, 1, 1].map((root) => admitted(budget, root))
  const [, second, , fourth] = streams
  if (second) second.state.isIdle = true
  for (let round = 0; round < 3; round++) for (const { grow, state } of streams) if (!state.ended) grow(2.5 * MIB)
  expect(streams.map(({ state }) => state.ended)).toEqual([false, true, false, false])
  fourth?.grow(7 * MIB)
  for (const { grow, state } of streams) if (!state.ended) grow(4 * MIB)
  expect(streams.map(({ state }) => state.ended)).toEqual([false, true, false, true])
})

it('refuses a new stream of a root without memory, and admits it in place of one that nobody watches', () => {
  const budget = createWindowBudget(16 * MIB)
  const streams = openAll(budget, 1)
  expect(streams).toHaveLength((16 * MIB) / LEAST_WINDOW_BYTES)
  const [first] = streams
  if (first) first.state.isIdle = true
  expect(streamOf(budget, 1)).not.toBeNull()
  expect(first?.state.ended).toBe(true)
  expect(streamOf(budget, 1)).toBeNull()
})

it('keeps an equal share for a neighbour of a root that takes all memory', () => {
  const budget = createWindowBudget(16 * MIB)
  const greedy = openAll(budget, 1)
  const small = [admitted(budget, 2), admitted(budget, 2)]
  for (let round = 0; round < 30; round++) {
    for (const { grow, state } of greedy) if (!state.ended) grow(MIB)
    for (const { grow } of small) grow(500_000)
  }
  expect(small.map(({ state }) => state.ended)).toEqual([false, false])
  // Eight segments of each fit into the half of the budget.
  for (const { window } of small) expect(window.segments).toHaveLength(8)
  expect(greedy.filter(({ state }) => !state.ended).length).toBeGreaterThan(0)
  expect(openAll(budget, 2, 50).length).toBeGreaterThan(5)
})

it('gives the memory of an ended stream to the others', () => {
  const budget = createWindowBudget(MIB)
  const streams = openAll(budget, 1)
  expect(streams).toHaveLength(2)
  streams[0]?.share.release()
  streams[0]?.share.release()
  expect(openAll(budget, 1)).toHaveLength(1)
})
