import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { activityFields, currentTraceparent, runActivity } from './activity.ts'

it('keeps the fields of each activity through its asynchronous work', async () => {
  const seen = async (id: string) =>
    runActivity({ fields: { id }, traceparent: `trace of ${id}` }, async () => {
      await setImmediate()
      return { ...activityFields(), trace: currentTraceparent() }
    })
  expect(await Promise.all([seen('a'), seen('b')])).toEqual([
    { id: 'a', trace: 'trace of a' },
    { id: 'b', trace: 'trace of b' },
  ])
  expect([activityFields(), currentTraceparent()]).toEqual([{}, null])
})

it('adds the fields of an inner activity, which has a trace of its own', () => {
  const inner = runActivity({ fields: { id: 'a' }, traceparent: 'outer' }, () =>
    runActivity({ fields: { trabalho_id: 7 } }, () => [activityFields(), currentTraceparent()]),
  )
  expect(inner).toEqual([{ id: 'a', trabalho_id: 7 }, null])
})
