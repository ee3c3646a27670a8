import { parseArgs } from 'node:util'
import { percentile, runPace } from './run.ts'

/**
 * `npm run messages-pace -- [--minutes 6] [--rate 100] [--verifier-ms 5000] [--at-once 16] [--down 0] [--scale 20]`.
 * Prints the time from frame to hand-over beside that of the verifier. The verifier is down for so many minutes, from
 * the third one on, and the messages of each `politica` in that time are counted. A lower `--scale` gives exact times.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '6' },
    rate: { type: 'string', default: '100' },
    'verifier-ms': { type: 'string', default: '5000' },
    'at-once': { type: 'string', default: '16' },
    down: { type: 'string', default: '0' },
    scale: { type: 'string', default: '20' },
  },
})
const [minutes, perMinute, verifierMs, atOnce, downMinutes, scale] = [
  values.minutes,
  values.rate,
  values['verifier-ms'],
  values['at-once'],
  values.down,
  values.scale,
].map(Number) as [number, number, number, number, number, number]
if (![minutes, perMinute, verifierMs, atOnce, scale].every((each) => each > 0) || !(downMinutes >= 0)) {
  console.error('each option is a number: npm run messages-pace -- --minutes 6 --rate 100')
  process.exit(2)
}
const down = { from: 2, to: 2 + downMinutes }
const {
  waiting,
  sent,
  byPolitica,
  down: times,
} = await runPace({ minutes, perMinute, verifierMs, atOnce, down, scale })
console.log(`events without a verdict at the end of each minute: ${waiting.join(' ')}`)
console.table(
  Object.entries(byPolitica).map(([politica, all]) => {
    const sorted = all
      .filter(({ tipo }) => tipo === 'evento.confirmado')
      .map(({ tookMs }) => tookMs)
      .toSorted((a, b) => a - b)
    const seconds = (share: number) => Math.round(percentile(sorted, share)) / 1_000
    return {
      politica,
      events: sent,
      confirmed: new Set(all.flatMap(({ tipo, eventoId }) => (tipo === 'evento.confirmado' ? [eventoId] : []))).size,
      unverified: all.filter(({ tipo }) => tipo === 'evento.nao_verificado').length,
      'messages while down': all.filter(({ em }) => em >= times[0] + verifierMs && em < times[1]).length,
      'p50 s': seconds(0.5),
      'p99 s': seconds(0.99),
      'verifier s': verifierMs / 1_000,
    }
  }),
)
process.exit(0)
