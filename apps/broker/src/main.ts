if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error('O Vigia precisa do Node 24 ou mais novo: inicie com "npm start", que traz o seu.')
  process.exit(1)
}

// Loaded after the check above, because these modules need that Node version.
const { createHeartbeat } = await import('@vigia/runtime/heartbeat')
const { createLogDestination, surviveStdioErrors } = await import('@vigia/runtime/log-destination')
const { VigiaError } = await import('@vigia/contracts/errors')
const { default: pino } = await import('pino')
const { createBroker } = await import('./app.ts')
const { readConfig, readTlsFiles } = await import('./config.ts')

surviveStdioErrors()

async function run(): Promise<void> {
  const config = readConfig(process.env)
  const log = pino({ name: 'broker', level: config.logLevel }, createLogDestination())
  const heartbeat = createHeartbeat({ onProblem: (err) => log.error({ err }, 'systemd not notified') })
  const { host, port, stateDir, metricsPort } = config
  const tls = await readTlsFiles(config.tlsDir)
  const opened = metricsPort === null ? null : await (await import('./metrics.ts')).openMetrics(metricsPort, log)
  const broker = createBroker({ host, port, tls, stateDir, log, ...(opened && { metrics: opened.metrics }) })
  opened?.watch(broker)

  const { porta } = await broker.start()
  let stopping = false
  const stop = (signal: string) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    broker.stop().then(
      () => process.exit(0),
      (err: unknown) => {
        log.error({ err }, 'stop failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // The parent process is gone: release its port.
  process.on('disconnect', () => stop('disconnect'))

  log.info({ host, porta }, 'pronto')
  await heartbeat.ready({ porta })
}

run().catch((error: unknown) => {
  console.error(error instanceof VigiaError ? error.detalhe : error)
  process.exit(1)
})
