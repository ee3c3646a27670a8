import type { Relato } from '@vigia/contracts/edge-state'
import { waitFor } from '@vigia/testing/wait'
import pino from 'pino'
import { afterEach, expect, it } from 'vitest'
import { createMachine } from './machine.ts'
import { createReporter, type Reporter } from './reporter.ts'

let reporter: Reporter
afterEach(() => reporter.stop())

function begin(periodMs: number, settleMs: number) {
  const sent: number[] = []
  const link = { connected: true, failing: false }
  reporter = createReporter({
    log: pino({ level: 'silent' }),
    periodMs,
    settleMs,
    isConnected: () => link.connected,
    build: async () => ({}) as Relato,
    publish: async () => {
      if (link.failing) throw new Error('link not connected')
      sent.push(performance.now())
    },
  })
  reporter.start()
  return { sent, link }
}

it('reports at once, then every period, also after a failed report', async () => {
  const { sent, link } = begin(30, 5)
  await waitFor('two reports', () => sent.length >= 2, { everyMs: 5 })
  link.failing = true
  const before = sent.length
  await new Promise((resolve) => setTimeout(resolve, 80))
  expect(sent.length).toBe(before)
  link.failing = false
  await waitFor('a report again', () => sent.length > before, { everyMs: 5 })
})

it('reports a change soon and combines simultaneous changes', async () => {
  const { sent } = begin(60_000, 40)
  await waitFor('the first report', () => sent.length === 1, { everyMs: 5 })
  const changedAt = performance.now()
  for (let i = 0; i < 50; i++) reporter.changed()
  await waitFor('the report of the changes', () => sent.length === 2, { everyMs: 5 })
  expect((sent[1] ?? 0) - changedAt).toBeGreaterThanOrEqual(35)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(sent).toHaveLength(2)
})

it('reads this machine', async () => {
  reporter = createReporter({
    log: pino({ level: 'silent' }),
    build: async () => ({}) as Relato,
    publish: async () => {},
    isConnected: () => false,
  })
  const machine = createMachine('/')
  const disk = await machine.disk()
  expect(disk?.total).toBeGreaterThan(disk?.livre ?? Number.POSITIVE_INFINITY)
  expect(machine.cpu()).toBeNull()
  const until = performance.now() + 60
  while (performance.now() < until);
  expect(machine.cpu()).toBeGreaterThanOrEqual(0)
  expect(machine.lastCpu).not.toBeNull()
  const memory = await machine.memory()
  expect(memory.livre).toBeGreaterThan(0)
  expect(memory.total).toBeGreaterThan(memory.livre)
  expect(await createMachine('/não/existe').disk()).toBeNull()
  expect(typeof (await machine.clockSynchronised())).toBe('boolean')
})
