import { createHeartbeat } from '@vigia/runtime/heartbeat'
import { createLogDestination, surviveStdioErrors } from '@vigia/runtime/log-destination'
import { pino } from 'pino'
import { createApp } from '../app.ts'
import { loadConfig } from '../config.ts'
import { CHEAP } from './clouds/test-app.ts'

/** The cloud program with checked answers and cheap passwords, as `startTestApp` starts it in the process of a test. */
surviveStdioErrors()
// Must be set before the first use of the thread pool, as in main.ts.
process.env.UV_THREADPOOL_SIZE ??= '32'
const heartbeat = createHeartbeat({ onProblem: () => {} })
const app = createApp({
  config: loadConfig(process.env),
  log: pino({ level: 'error' }, createLogDestination()),
  announce: () => {},
  step: heartbeat.step,
  checkAnswers: true,
  passwordCost: CHEAP,
})
const stop = () => void app.stop().then(() => process.exit(0))
process.on('SIGTERM', stop)
process.on('disconnect', stop)
const { port } = await app.start()
await heartbeat.ready({ porta: port, check: app.alive })
