// First statement, before any code that an older Node cannot parse.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    'O edge do Vigia precisa do Node 24 ou mais novo: rode-o com `npm start` ou instale o Node 24.\n',
  )
  process.exit(1)
}

const { readFile } = await import('node:fs/promises')
const { default: pino } = await import('pino')
const { activityFields } = await import('@vigia/runtime/activity')
const { createHeartbeat } = await import('@vigia/runtime/heartbeat')
const { createLogDestination, surviveStdioErrors } = await import('@vigia/runtime/log-destination')
const { VigiaError } = await import('@vigia/contracts/errors')
const { readConfig } = await import('./config.ts')
const { createEdgeApp } = await import('./app.ts')
const { openEdgeTelemetry } = await import('./telemetry/telemetry.ts')
const { createRecentWarnings } = await import('./status/recent-warnings.ts')

surviveStdioErrors()

/** Time to open and migrate the outbox, or to copy it into memory, also on a slow disk. */
const LONGEST_START_MS = 600_000

/** Prints one line for errors meant for a person; other errors are logged with their stack. */
function fail(error: unknown): never {
  process.stderr.write(`${error instanceof VigiaError ? error.detalhe : String((error as Error).stack ?? error)}\n`)
  process.exit(1)
}

try {
  const config = readConfig(process.env)
  // The code has been read; child processes and core dumps must not contain it.
  delete process.env.VIGIA_ATIVACAO_CODIGO
  const warnings = createRecentWarnings()
  const log = pino(
    { name: 'edge', level: config.logLevel, hooks: warnings.hooks, mixin: activityFields },
    createLogDestination(),
  )
  for (const notice of config.notices) log.warn(notice)
  const heartbeat = createHeartbeat({ onProblem: (err) => log.error({ err }, 'systemd not notified') })
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
  const telemetry = await openEdgeTelemetry(config.telemetry, log)
  const app = createEdgeApp({ config, version, log, warnings, telemetry, onFatal: fail })

  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    const timer = setTimeout(() => process.exit(1), 5_000)
    const stopped = app.stop().then(telemetry.stop)
    stopped.then(() => {
      clearTimeout(timer)
      log.info('parado')
      process.exit(0)
    }, fail)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // The parent process at the other end of the channel has ended.
  process.on('disconnect', stop)

  await heartbeat.step('início', LONGEST_START_MS, () => app.start())
  log.info({ pid: process.pid }, 'pronto')
  await heartbeat.ready()
} catch (error) {
  fail(error)
}
