import type { MovimentoPtz } from '@vigia/contracts/ptz'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPtzMover } from './ptz-mover.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const right = { x: 1, y: 0, zoom: 0 }
const up = { x: 0, y: 1, zoom: 0 }
const mover = (velocity: typeof right) => ({ acao: 'mover', ...velocity })
const parar = { acao: 'parar' }

/** A mover whose requests end when the test says so. */
function stage() {
  const sent: MovimentoPtz[] = []
  let answer: PromiseWithResolvers<void> | null = null
  const moves = createPtzMover((movimento) => {
    sent.push(movimento)
    answer = Promise.withResolvers<void>()
    return answer.promise
  })
  const settle = async (error?: Error) => {
    if (error) answer?.reject(error)
    else answer?.resolve()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { sent, moves, settle }
}

it('repeats a move each second while it is held, and stops at the release', async () => {
  const { sent, moves, settle } = stage()
  moves.hold(right)
  moves.hold({ ...right })
  await settle()
  await vi.advanceTimersByTimeAsync(1_000)
  await settle()
  expect(sent).toEqual([mover(right), mover(right)])
  moves.release()
  moves.release()
  await settle()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(sent.slice(2)).toEqual([parar])
})

it('sends only the newest velocity after a slow request, and the stop of a short press', async () => {
  const { sent, moves, settle } = stage()
  moves.hold(right)
  for (const x of [0.9, 0.8]) moves.hold({ ...right, x })
  moves.hold(up)
  await settle()
  moves.release()
  await settle()
  await settle()
  expect(sent).toEqual([mover(right), mover(up), parar])
})

it('ends with a failed request, and moves again at the next press', async () => {
  const { sent, moves, settle } = stage()
  moves.hold(right)
  await settle(new Error('503'))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(sent).toEqual([mover(right)])
  moves.hold(right)
  expect(sent).toHaveLength(2)
})
