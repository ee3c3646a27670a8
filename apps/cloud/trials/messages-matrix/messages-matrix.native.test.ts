import { expect, it } from 'vitest'
import { receiverNames, runMatrix } from './run.ts'

it('delivers every incidente once to every kind of destination after an hour of 429 or of 500', async () => {
  const cells = await runMatrix({ faults: ['pause', 'error'] })
  expect(cells.flatMap(({ problems }) => problems)).toEqual([])
  expect(new Set(cells.map(({ receiver }) => receiver))).toEqual(new Set(receiverNames))
})
