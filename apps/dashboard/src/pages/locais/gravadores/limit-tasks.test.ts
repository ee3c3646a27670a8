import { expect, it } from 'vitest'
import { limitTasks } from './limit-tasks.ts'

it('runs at most two tasks at a time, in order, also after a failure', async () => {
  const run = limitTasks(2)
  const log: string[] = []
  const ends: (() => void)[] = []
  const task = (name: string) =>
    run(async () => {
      log.push(`${name} starts`)
      await new Promise<void>((resolve) => ends.push(resolve))
      if (name === 'a') throw new Error(name)
    })
  const all = ['a', 'b', 'c', 'd'].map((name) => task(name).catch((error: Error) => log.push(`${error.message} fails`)))
  await Promise.resolve()
  expect(log).toEqual(['a starts', 'b starts'])
  for (let index = 0; index < 4; index++) {
    ends[index]?.()
    await new Promise((resolve) => setTimeout(resolve))
  }
  await Promise.all(all)
  expect(log).toEqual(['a starts', 'b starts', 'c starts', 'a fails', 'd starts'])
})
