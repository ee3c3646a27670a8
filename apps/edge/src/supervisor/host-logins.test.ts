import { expect, it } from 'vitest'
import { createHostLogins } from './host-logins.ts'

const MINUTE = 60_000

it('allows four refused logins in any hour', () => {
  let time = 0
  const logins = createHostLogins(() => time)
  const sent: number[] = []
  for (; time < 300 * MINUTE; time += 1_000) {
    if (logins.waitMs('a') > 0) continue
    sent.push(time)
    logins.refused('a')
  }
  for (const from of sent) expect(sent.filter((at) => at >= from && at < from + 60 * MINUTE).length).toBeLessThan(5)
  expect(sent.slice(0, 6).map((at) => at / MINUTE)).toEqual([0, 0.5, 2.5, 23.5, 60, 62.5])
})

it('counts logins that were under way together, and forgets them after a success', () => {
  const logins = createHostLogins(() => 0)
  for (let i = 0; i < 4; i++) logins.refused('a')
  expect([logins.waitMs('a'), logins.waitMs('b'), logins.isSuspect('a')]).toEqual([60 * MINUTE, 0, true])
  logins.forget('a')
  expect([logins.waitMs('a'), logins.isSuspect('a')]).toEqual([0, false])
})
