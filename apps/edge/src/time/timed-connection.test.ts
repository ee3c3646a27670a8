import { waitFor } from '@vigia/testing/wait'
import { expect, it } from 'vitest'
import type { TimeState } from './edge-time.ts'
import { createTimedConnection } from './timed-connection.ts'

function begin(state: TimeState, holdMs?: number) {
  const calls: boolean[] = []
  const time = { state }
  const connection = createTimedConnection({ connection: (up) => calls.push(up) }, time, holdMs)
  return { calls, time, connection }
}

it('sends at once while the time is known', () => {
  const { calls, connection } = begin('conhecida')
  connection.connection(true)
  expect(calls).toEqual([true])
})

it('holds the records of a new connection until the time is known', () => {
  const { calls, connection, time } = begin('desconhecida')
  connection.connection(true)
  time.state = 'suposta'
  connection.timeChanged()
  expect(calls).toEqual([false])
  time.state = 'conhecida'
  connection.timeChanged()
  connection.timeChanged()
  expect(calls).toEqual([false, true])
})

it('does not send when the link has gone before the time is known', () => {
  const { calls, connection } = begin('suposta')
  connection.connection(true)
  connection.connection(false)
  connection.timeChanged()
  expect(calls).toEqual([false, false])
})

it('sends without the time to a cloud that never echoes', async () => {
  const { calls, connection } = begin('desconhecida', 5)
  connection.connection(true)
  await waitFor('the connection', () => calls.at(-1) === true)
})
