import { describe, expect, it } from 'vitest'
import { createRefusalMonitor } from './refused-identity.ts'
import type { Ending } from './session.ts'
import { createMemoryLog } from './testing/installation.ts'

const ended = (reason: string): Ending => ({ reason, wasTaken: false, byBroker: false })
const REFUSED = 'Connection refused: Not authorized'

describe('a certificate that the broker refuses', () => {
  it('is logged after three refusals in a row, at most once an hour', () => {
    const log = createMemoryLog()
    let now = 0
    const watch = createRefusalMonitor(log, () => now)
    const said = () => log.lines.filter((line) => line.includes('não aceita mais o certificado')).length
    watch.ended(ended(REFUSED))
    watch.ended(ended(REFUSED))
    watch.ended(ended('connect ECONNREFUSED'))
    watch.ended(ended(REFUSED))
    watch.ended(ended('ssl/tls alert certificate revoked'))
    expect(said()).toBe(0)
    watch.ended(ended(REFUSED))
    watch.ended(ended(REFUSED))
    expect(said()).toBe(1)
    now = 3_600_000
    watch.ended(ended(REFUSED))
    expect(said()).toBe(2)
  })
})
