import { beforeEach, expect, it } from 'vitest'
import { createHostSlots, type HostSlots } from './host-slots.ts'

const MINUTE = 60_000
let time = 0
let slots: HostSlots
/** Answers by ticket. */
let answers: string[]
const owner = {}

beforeEach(() => {
  time = 0
  answers = []
  slots = createHostSlots(2, { now: () => time })
})

const ask = (ticket: number, login = 'admin:errada', host = 'a') =>
  slots.request(owner, { ticket, host, login, use: 'analysis' }, (kind) => answers.push(`${ticket} ${kind}`))
/** Serves the waiting requests, as the end of a pause does. */
const pass = (ms: number) => {
  time += ms
  slots.limit([])
}

it('sends a refused login of many cameras four times an hour, one at a time after the first two', () => {
  for (let ticket = 1; ticket <= 16; ticket++) ask(ticket)
  slots.release(owner, 1, 'refused')
  slots.release(owner, 2, 'refused')
  const granted = () => answers.filter((one) => one.endsWith('granted'))
  expect(granted()).toEqual(['1 granted', '2 granted'])
  expect(answers.filter((one) => one.endsWith('refused'))).toHaveLength(14)
  for (let minute = 0; minute < 59; minute++) {
    pass(MINUTE)
    const newest = Number(granted().at(-1)?.split(' ')[0])
    slots.release(owner, newest, 'refused')
  }
  expect(granted()).toEqual(['1 granted', '2 granted', '3 granted', '4 granted'])
})

it('serves another login, another host, and a login that a person sends again', () => {
  ask(1)
  slots.release(owner, 1, 'refused')
  ask(2)
  ask(3, 'admin:certa')
  ask(4, 'admin:errada', 'b')
  expect(answers).toEqual(['1 granted', '2 refused', '3 granted', '4 granted'])
  slots.forgive('a', 'admin:errada')
  expect(answers.at(-1)).toBe('2 granted')
})

it('serves all cameras when one of them has begun', () => {
  for (const ticket of [1, 2, 3, 4]) ask(ticket)
  slots.release(owner, 1, 'refused')
  pass(MINUTE)
  slots.release(owner, 2)
  pass(MINUTE)
  slots.opened(owner, 3)
  expect(answers.at(-1)).toBe('4 granted')
})

it('does not take the refusal of a further session for a wrong password while another stream has it', () => {
  ask(1)
  slots.opened(owner, 1)
  ask(2)
  slots.release(owner, 2, 'refused')
  ask(3)
  expect(answers).toEqual(['1 granted', '2 granted', '3 granted'])
})

it('sends the fourth login to a recorder that starts five minutes after the first one, not 23', () => {
  ask(1)
  slots.opened(owner, 1)
  slots.release(owner, 1, 'lost')
  ask(2)
  slots.release(owner, 2, 'unreachable')
  const grantedAt: number[] = []
  for (let second = 0, ticket = 3; second <= 10 * 60; second++) {
    if (second === 0) ask(ticket)
    if (answers.at(-1) === `${ticket} granted`) {
      grantedAt.push(second)
      slots.release(owner, ticket, 'refused')
      ask(++ticket)
    }
    pass(1_000)
  }
  expect(grantedAt).toEqual([0, 30, 90, 300])
})
