import { describe, expect, it } from 'vitest'
import { judgeGrowth, type TimedSample } from './plateau.ts'

const at = (atMs: number, more: Partial<TimedSample> = {}): TimedSample => ({
  atMs,
  role: 'edge/src/main.ts',
  pid: 1,
  memory: 100,
  openFiles: 20,
  threads: 10,
  ...more,
})
const minutes = [0, 100, 200, 300, 400, 500, 600, 700, 800]

describe('growth over a run', () => {
  it('accepts memory that rises to its plateau and stays within a tenth of it', () => {
    const samples = minutes.map((ms) => at(ms, { memory: ms < 300 ? ms : ms < 600 ? 300 : 329 }))
    expect(judgeGrowth(samples, 900)).toEqual([
      {
        role: 'edge/src/main.ts',
        processes: 1,
        memory: { plateau: 300, end: 329 },
        openFiles: { plateau: 20, end: 20 },
        threads: { plateau: 10, end: 10 },
        ok: true,
      },
    ])
  })

  it.each([
    ['memory', { memory: 111 }],
    ['open files', { openFiles: 21 }],
    ['threads', { threads: 11 }],
  ])('detects growing %s', (_, more) => {
    const samples = minutes.map((ms) => at(ms, ms < 600 ? {} : more))
    expect(judgeGrowth(samples, 900).map(({ ok }) => ok)).toEqual([false])
  })

  it('adds up the changing processes of one role', () => {
    const samples = minutes.flatMap((ms) => [at(ms, { pid: ms }), at(ms, { pid: ms + 1, memory: 50 })])
    expect(judgeGrowth(samples, 900)).toMatchObject([{ processes: 18, memory: { plateau: 150, end: 150 }, ok: true }])
  })

  it('rejects a role without samples at the end', () => {
    expect(judgeGrowth([at(400)], 900).map(({ ok }) => ok)).toEqual([false])
  })
})
