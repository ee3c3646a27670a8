import { parseArgs } from 'node:util'
import { isClean } from '../chaos/verdict.ts'
import { measureHours, streams } from './hours.ts'
import { describeDrain, runDrain } from './run.ts'

/**
 * `npm run drain -- [--events 100000] [--evidence 10000]`: measures how fast an edge delivers its backlog after a long
 * outage. `--evidence`: bytes of each of two further pictures per event. `--hours` measures instead for how long 1 GB
 * of the outbox lasts, without and with further pictures. The exit status is then 1 if these push out a picture of an
 * event.
 */
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    evidence: { type: 'string', default: '0' },
    hours: { type: 'boolean', default: false },
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
if (values.hours) process.exit((await printHours()) ? 0 : 1)
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

/** Returns whether the further pictures shorten the time of the pictures of events by less than 2 %. */
async function printHours(): Promise<boolean> {
  let ok = true
  console.log('| stream | extras | bytes per event | h/GB complete | h/GB with pictures | extras when full |')
  console.log('|---|---|---:|---:|---:|---:|')
  for (const { name, pictureBytes, evidenceBytes } of streams) {
    const without = await measureHours(pictureBytes, 0)
    const withThem = await measureHours(pictureBytes, evidenceBytes)
    for (const [word, hours] of Object.entries({ no: without, yes: withThem })) {
      const [bytes, complete, pictures] = [hours.bytesPerEvent, hours.complete, hours.withPictures].map(Math.round)
      console.log(`| ${name} | ${word} | ${bytes} | ${complete} | ${pictures} | ${hours.extras} |`)
    }
    ok &&= withThem.withPictures > without.withPictures * 0.98
  }
  return ok
}
