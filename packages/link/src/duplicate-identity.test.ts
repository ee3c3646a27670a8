import { describe, expect, it } from 'vitest'
import { createDuplicateWatch } from './duplicate-identity.ts'
import type { Ending } from './session.ts'
import { createMemoryLog } from './testing/installation.ts'

const thrownOut: Ending = { reason: 'o broker fechou a conexão', wasTaken: true, byBroker: true }
const lineDown: Ending = { reason: 'read ECONNRESET', wasTaken: true, byBroker: false }
const noBroker: Ending = { reason: 'connect ECONNREFUSED', wasTaken: false, byBroker: false }

function begin() {
  const log = createMemoryLog()
  const clock = { nowMs: 1_000 }
  const watch = createDuplicateWatch(log, () => clock.nowMs)
  return {
    clock,
    lines: log.lines,
    ends: (ending: Ending, times: number, livedMs = 2_000) => {
      for (let time = 0; time < times; time += 1) watch.ended(ending, livedMs)
    },
  }
}

describe('the watch for another box with this identity', () => {
  it('says so when the broker ends session after session within seconds, and once in ten minutes', () => {
    const { ends, lines, clock } = begin()
    ends(thrownOut, 3)
    expect(lines).toEqual([])
    ends(thrownOut, 20)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^error Outra caixa parece usar a identidade deste edge\. .* código novo\. /)
    clock.nowMs += 10 * 60_000 - 1
    ends(thrownOut, 1)
    expect(lines).toHaveLength(1)
    clock.nowMs += 1
    ends(thrownOut, 1)
    expect(lines).toHaveLength(2)
  })

  it('counts sessions also while the line is bad, and none that held', () => {
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

  it('does not suspect anybody while the broker comes and goes', () => {
    const { ends, lines } = begin()
    for (let round = 0; round < 20; round += 1) {
      ends(thrownOut, 3)
      ends(noBroker, 1)
      // A listening port with nobody behind it.
      ends({ ...noBroker, byBroker: true }, 5)
    }
    expect(lines).toEqual([])
  })
})
