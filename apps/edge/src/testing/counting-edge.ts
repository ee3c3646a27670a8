import { appendFileSync } from 'node:fs'
import pino from 'pino'
import { createEdgeApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { createRecentWarnings } from '../status/recent-warnings.ts'
import { type EdgeTelemetry, openEdgeTelemetry } from '../telemetry/telemetry.ts'
import { createCountedSource, readControl } from './counted-source.ts'

/**
 * The edge's main process with a counting source in place of the capture processes (counted-source.ts). The only
 * argument is the control file. Reconnects faster than a site, otherwise a run would mostly wait.
 */
const [control = ''] = process.argv.slice(2)
const realNow = Date.now.bind(Date)
let { clockMs } = readControl(control)
setInterval(() => {
  clockMs = readControl(control).clockMs
}, 50)
// Simulates a changed clock; TLS and timers keep the machine's own time, as on a real edge.
Date.now = () => Math.round(realNow() + clockMs)

const warnings = createRecentWarnings()
const config = readConfig(process.env)
const log = pino({ hooks: warnings.hooks, name: 'edge', level: process.env.VIGIA_LOG_LEVEL ?? 'info' })
const opened = await openEdgeTelemetry(config.telemetry, log)
const telemetry: EdgeTelemetry = {
  ...opened,
  dropped(dropped) {
    opened.dropped(dropped)
    // The trial compares the time with its faults.
    const line = JSON.stringify({ at: realNow(), records: dropped.records })
    if (dropped.records > 0) appendFileSync(`${control}.descartes`, `${line}\n`)
  },
}
const app = createEdgeApp({
  config,
  version: '0.0.0-contagem',
  warnings,
  log,
  telemetry,
  onFatal: (error) => {
    throw error
  },
  supervise: (options) => createCountedSource(control, options),
  link: { backoff: { minMs: 100, maxMs: 500 }, keepaliveS: 5 },
})
const stop = () =>
  void app
    .stop()
    .then(telemetry.stop)
    .then(() => process.exit(0))
process.on('SIGTERM', stop)
process.on('disconnect', stop)
await app.start()
process.send?.({ pronto: true })
