import { expect, it } from 'vitest'
import { changeSettings } from '../../trials/changed-settings/run.ts'

it('applies on the same connection and leaves the other cameras unchanged', { timeout: 300_000 }, async () => {
  const { effects, describes, processes, otherEvents } = await changeSettings(() => {})
  expect(effects.map(({ change, lateEvents }) => ({ change, lateEvents }))).toEqual(
    [
      'a threshold',
      'a zone without a person',
      'an added IA',
      'an agenda without the current hour',
      'one IA in place of another',
    ].map((change) => ({ change, lateEvents: 0 })),
  )
  expect(describes[1]).toBe(describes[0])
  expect(processes[1]).toBe(processes[0])
  expect(otherEvents).toBe(1)
})
