import { describe, expect, it } from 'vitest'
import { createDuplicateMonitor } from './duplicate-identity.ts'
import type { Ending } from './session.ts'
import { createMemoryLog } from './testing/installation.ts'

const thrownOut: Ending = { reason: 'o broker fechou a conexão', wasTaken: true, byBroker: true }
const lineDown: Ending = { reason: 'read ECONNRESET', wasTaken: true, byBroker: false }
const noBroker: Ending = { reason: 'connect ECONNREFUSED', wasTaken: false, byBroker: false }

function begin() {
  const log = createMemoryLog()
  const clock = { now: 1_000 }
  const monitor = createDuplicateMonitor(log, () => clock.now)
  return {
    clock,
    lines: log.lines,
    ends: (ending: Ending, times: number, livedMs = 2_000) => {
      for (let time = 0; time < times; time += 1) monitor.ended(ending, livedMs)
    },
  }
}

describe('the monitor of duplicate identities', () => {
  it('logs when the broker repeatedly ends sessions within seconds, at most once in ten minutes', () => {
    const { ends, lines, clock } = begin()
    ends(thrownOut, 3)
    expect(lines).toEqual([])
    ends(thrownOut, 20)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^error Outra caixa parece usar a identidade desta caixa\. .* código novo\. /)
    clock.now += 10 * 60_000 - 1
    ends(thrownOut, 1)
    expect(lines).toHaveLength(1)
    clock.now += 1
    ends(thrownOut, 1)
    expect(lines).toHaveLength(2)
  })

  it('counts short sessions also during network errors, and resets after a long session', () => {
    const { ends, lines } = begin()
    for (let round = 0; round < 20; round += 1) {
      ends(lineDown, 5)
      ends(thrownOut, 1, 60_000)
      ends(thrownOut, 3)
    }
    expect(lines).toEqual([])
    ends(lineDown, 5)
    ends(thrownOut, 1)
    expect(lines).toHaveLength(1)
  })

  it('does not log while the broker restarts', () => {
    const { ends, lines } = begin()
    for (let round = 0; round < 20; round += 1) {
      ends(thrownOut, 3)
      ends(noBroker, 1)
      // The port listens, but the broker does not answer.
      ends({ ...noBroker, byBroker: true }, 5)
    }
    expect(lines).toEqual([])
  })
})
