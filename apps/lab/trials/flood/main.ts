import { parseArgs } from 'node:util'
import { describeFlood, runFlood } from './run.ts'

/** `npm run flood -- [--seconds 8]`: measures the effect on other clients while one edge sends at full speed. */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '8' } } })
const seconds = Number(values.seconds)
if (!/^\d{1,3}$/.test(values.seconds) || seconds < 2) {
  console.error('--seconds is a number from 2 to 999: npm run flood -- --seconds 8')
  process.exit(1)
}
/** Accepted increase of `GET /cameras` of another Empresa, 95th percentile. */
const MOST_ABOVE_IDLE_MS = 50
const shapes = [
  { records: 256, pictureBytes: 0 },
  { records: 64, pictureBytes: 2_000 },
  { records: 1, pictureBytes: 0 },
  { records: 90, pictureBytes: 60_000 },
]
const results = await runFlood(shapes, seconds)
for (const result of results) console.log(describeFlood(result))
process.exit(results.every(({ idleMs, floodMs }) => floodMs - idleMs < MOST_ABOVE_IDLE_MS) ? 0 : 1)
