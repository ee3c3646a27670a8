import { expect, it } from 'vitest'
import { createHostLogins, type HostLogins } from './host-logins.ts'

const MINUTE = 60_000

/** Minutes at which logins are sent that a host refuses up to a time. */
function sentTo(acceptsAtMs: number, prepare: (logins: HostLogins) => void = () => {}): number[] {
  let time = 0
  const logins = createHostLogins(() => time)
  prepare(logins)
  const sent: number[] = []
  for (; time < 300 * MINUTE; time += 1_000) {
    if (logins.waitMs('h a') > 0) continue
    sent.push(time)
    if (time >= acceptsAtMs) break
    logins.refused('h a', 'h')
  }
  return sent
}

it.each([
  ['a wrong password', () => {}, [0, 0.5, 2.5, 23.5, 60, 62.5]],
  ['a host that starts', (logins: HostLogins) => logins.unreachable('h'), [0, 0.5, 1.5, 5, 60, 60.5]],
])('allows four refused logins in any hour: %s', (_name, prepare, minutes) => {
  const sent = sentTo(Number.POSITIVE_INFINITY, prepare)
  for (const from of sent) expect(sent.filter((at) => at >= from && at < from + 60 * MINUTE).length).toBeLessThan(5)
  expect(sent.slice(0, 6).map((at) => at / MINUTE)).toEqual(minutes)
})

it.each([
  [10, 0.5],
  [60, 1.5],
  [120, 5],
  [300, 5],
])(
  'logs in at a recorder that accepts the password %i s after its port opened: after %f minutes',
  (seconds, minutes) => {
    expect(sentTo(seconds * 1_000, (logins) => logins.unreachable('h')).at(-1)).toBe(minutes * MINUTE)
  },
)

it('takes a host for a starting one for ten minutes, also if that is known only later', () => {
  let time = 0
  const logins = createHostLogins(() => time)
  logins.unreachable('h')
  logins.unreachable('other')
  time = 10 * MINUTE
  for (let i = 0; i < 3; i++) logins.refused('h a', 'h')
  expect(logins.waitMs('h a')).toBe(21 * MINUTE)
  logins.unreachable('h')
  logins.forget('h a')
  for (let i = 0; i < 3; i++) logins.refused('h a', 'h')
  expect(logins.waitMs('h a')).toBe(5 * MINUTE)
})

it('counts logins that were under way together, and forgets them after a success', () => {
  const logins = createHostLogins(() => 0)
  for (let i = 0; i < 4; i++) logins.refused('a', 'h')
  expect([logins.waitMs('a'), logins.waitMs('b'), logins.isSuspect('a')]).toEqual([60 * MINUTE, 0, true])
  logins.forget('a')
  expect([logins.waitMs('a'), logins.isSuspect('a')]).toEqual([0, false])
})
