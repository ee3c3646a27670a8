import { expect, it } from 'vitest'
import { runMessageChaos } from './run.ts'

it('loses no message and sends none twice under two ids when the cloud is killed at each point', async () => {
  const { kills, problems, confirmed, incidentes } = await runMessageChaos({ rounds: 5 })
  expect(problems).toEqual([])
  expect(kills).toBe(5)
  expect(incidentes).toBe(10)
  expect(confirmed).toBe(23)
}, 300_000)
