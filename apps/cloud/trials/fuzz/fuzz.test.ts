import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callerNames } from './callers.ts'
import { countAnswers, takenShare } from './judge.ts'
import { runFuzz } from './run.ts'
import { type StartedTarget, startTarget } from './target.ts'

let target: StartedTarget
beforeAll(async () => {
  target = await startTarget()
})
afterAll(() => target.stop())

describe('a short run of every route as every kind of caller', () => {
  it('finds no failure, no undeclared status and no answer that breaks its schema', { timeout: 600_000 }, async () => {
    const seed = Math.floor(Math.random() * 2 ** 30)
    // Other tests share the machine, so only `npm run lab -- fuzz` checks the time of answers.
    // The trial alone judges times.
    const options = { requests: 500, seed, least: 1, answerMs: Number.POSITIVE_INFINITY }
    const { answers, faults } = await runFuzz(target, options, () => {})
    expect(
      faults.map(({ route, caller, path, fault, text, request }) => ({
        seed,
        caller,
        fault,
        text,
        body: request.body,
        asked: `${route.method} ${path}`,
      })),
    ).toEqual([])
    const pairs = new Set(answers.map(({ route, caller }) => `${route.method} ${route.path} ${caller}`))
    const routes = new Set(answers.map(({ route }) => `${route.method} ${route.path}`))
    expect(routes.size).toBeGreaterThan(80)
    expect(pairs.size).toBe(routes.size * callerNames.length)
    expect(takenShare(countAnswers(answers))).toBeGreaterThan(0.4)
  })
})
