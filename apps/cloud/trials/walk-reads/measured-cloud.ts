import { startStillCloud } from '../../src/test/clouds/still-cloud.ts'
import { readsOf } from './read-routes.ts'
import { samplesOf } from './samples.ts'

/**
 * The cloud on a filled folder, in a process of its own. Its parent sends `inicio` and `fim` around each request. In
 * between it reads the processor time of its thread at each turn of the event loop of a millisecond or more. The answer
 * is the longest stretch without a turn. A loop without pauses would measure the collection of its own garbage.
 */
const now = Date.now()
const { url, routes, stop } = await startStillCloud({ VIGIA_DATA_DIR: process.env.VIGIA_DATA_DIR ?? '' }, now)
const { tokens, samples } = await samplesOf(url)

let isMeasuring = false
let longestUs = 0
let last = process.threadCpuUsage()
function turn(): void {
  const { user, system } = process.threadCpuUsage(last)
  last = process.threadCpuUsage()
  longestUs = Math.max(longestUs, user + system)
  if (isMeasuring) setTimeout(turn, 1)
  else process.send?.({ longestUs })
}

process.on('message', (message) => {
  isMeasuring = message === 'inicio'
  if (!isMeasuring) return
  longestUs = 0
  last = process.threadCpuUsage()
  setTimeout(turn, 1)
  process.send?.({ medindo: true })
})
process.on('disconnect', () => process.exit(0))
process.on('SIGTERM', () => void stop().then(() => process.exit(0)))
process.send?.({ pronto: true, url, tokens, ...readsOf(routes, samples, now) })
