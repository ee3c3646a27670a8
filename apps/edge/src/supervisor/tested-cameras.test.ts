import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTestedCameras } from './tested-cameras.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('arms a camera until its time is over or the test ends, and reports each change once', () => {
  const onChange = vi.fn()
  const tested = createTestedCameras(onChange)
  tested.set(1, 0)
  expect(onChange).not.toHaveBeenCalled()
  tested.set(1, 1_000)
  tested.set(2, 5_000)
  expect([tested.has(1), tested.has(2), tested.has(3), onChange.mock.calls.length]).toEqual([true, true, false, 2])
  vi.advanceTimersByTime(900)
  tested.set(1, 1_000)
  vi.advanceTimersByTime(900)
  expect([tested.has(1), onChange.mock.calls.length]).toEqual([true, 2])
  vi.advanceTimersByTime(100)
  expect([tested.has(1), tested.has(2), onChange.mock.calls.length]).toEqual([false, true, 3])
  tested.set(2, 0)
  expect([tested.has(2), onChange.mock.calls.length]).toEqual([false, 4])
})
