import { parseArgs } from 'node:util'
import { isClean } from '../chaos/verdict.ts'
import { describeDrain, runDrain } from './run.ts'

/**
 * `npm run drain -- [--events 100000] [--evidence 10000]`: measures how fast an edge delivers its backlog after a long
 * outage. `--evidence`: bytes of each of two further pictures per event.
 */
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    evidence: { type: 'string', default: '0' },
  },
})
const events = Number(values.events)
if (!/^\d{2,8}$/.test(values.events) || events % 10 !== 0) {
  console.error('--events is a multiple of 10, up to 99999990: npm run drain -- --events 100000')
  process.exit(1)
}
if (!/^\d{1,5}$/.test(values.evidence)) {
  console.error('--evidence is a number of bytes up to 65000: npm run drain -- --evidence 10000')
  process.exit(1)
}
try {
  console.log(`${events} events are put on the disk of a box without a connection…`)
  const drain = await runDrain(events, Number(values.evidence), (stored) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${stored} of ${events} stored `)
  })
  if (process.stderr.isTTY) process.stderr.write('\n')
  console.log(describeDrain(drain))
  process.exit(isClean(drain.verdict) ? 0 : 1)
} catch (error) {
  console.error(error)
  process.exit(1)
}
