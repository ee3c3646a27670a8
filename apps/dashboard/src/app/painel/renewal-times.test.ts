import { expect, it } from 'vitest'
import { firstRenewalMs, nearLimit, renewalDelayMs } from './renewal-times.ts'

const MIN = 60_000

it.each([
  ['a new token', 60 * MIN, 25 * MIN],
  ['an old token', 10 * MIN, 5 * MIN],
  ['an ended token or a browser clock ahead', -90 * MIN, 0],
  ['a browser clock behind', 90 * MIN, 25 * MIN],
])('renews %s early enough', (_what, left, delay) => {
  expect(renewalDelayMs(left)).toBe(delay)
})

it.each([
  ['a token that ends before its session', 60, 12 * 60, 25 * MIN],
  ['the last token of a session', 20, 20, null],
  ['a quiosque', 30 * 24 * 60, 30 * 24 * 60, null],
])('renews %s first after that time', (_what, tokenMin, sessionMin, delay) => {
  const at = (min: number) => new Date(min * MIN).toISOString()
  const sessao = { expira_em: at(tokenMin), renova_ate: at(sessionMin), quiosque: null }
  expect(firstRenewalMs(sessao, 0)).toBe(delay)
})

it('warns 15 minutes before the limit of a login, and two days before that of a quiosque', () => {
  expect([16 * MIN, 15 * MIN, 0].map((left) => nearLimit(left, false))).toEqual([false, true, true])
  expect([49 * 60 * MIN, 48 * 60 * MIN].map((left) => nearLimit(left, true))).toEqual([false, true])
})
