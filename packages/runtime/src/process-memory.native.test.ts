import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { availableMemory, boundChild, endFirst, guardMemory, residentBytes } from './process-memory.ts'

const MIB = 1024 * 1024
const program = new URL('./testing/growing-program.ts', import.meta.url)

it('measures a child, and reports it once above its limit', async () => {
  const child = fork(program, [String(150 * MIB)])
  try {
    await once(child, 'message')
    expect(residentBytes(child.pid ?? 0)).toBeGreaterThan(150 * MIB)
    const { promise, resolve } = Promise.withResolvers<number>()
    guardMemory({ pid: child.pid, maxBytes: () => 100 * MIB, everyMs: 5, onAbove: resolve })
    expect(await promise).toBeGreaterThan(150 * MIB)
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  expect(residentBytes(child.pid ?? 0)).toBeNull()
})

it('kills a child above its memory', async () => {
  const child = fork(program, [String(150 * MIB)])
  const killed: number[] = []
  boundChild(child, 100 * MIB, (bytes) => killed.push(bytes))
  const [, signal] = await once(child, 'exit')
  expect([signal, killed.length]).toEqual(['SIGKILL', 1])
})

it('has the kernel end a child before the main process', async () => {
  const child = fork(program, ['0'])
  try {
    endFirst(child.pid)
    await once(child, 'message')
    const scoreOf = (pid: number | undefined) => Number(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8'))
    expect(scoreOf(child.pid)).toBeGreaterThan(scoreOf(process.pid))
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  expect(() => endFirst(child.pid)).not.toThrow()
})

it('knows the memory of the machine', () => {
  expect(availableMemory()).toBeGreaterThan(100 * MIB)
})
