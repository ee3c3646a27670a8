if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write('A Vigia precisa do Node 24 ou mais novo: rode "npm start" na pasta do projeto.\n')
  process.exit(1)
}

// Pictures of a batch are written and synced in parallel. Must be set before the first use of the thread pool.
process.env.UV_THREADPOOL_SIZE ??= '32'

const { resolve } = await import('node:path')
const { pino } = await import('pino')
const { activityFields } = await import('@vigia/runtime/activity')
const { unwritableDisk } = await import('@vigia/runtime/disk-failure')
const { createHeartbeat } = await import('@vigia/runtime/heartbeat')
const { createLogDestination, surviveStdioErrors } = await import('@vigia/runtime/log-destination')
const { VigiaError } = await import('@vigia/contracts/errors')
const { createApp } = await import('./app.ts')
const { ConfigError, loadConfig } = await import('./config.ts')
const { DataError, isDamage } = await import('./db/errors.ts')
const { damagedSentence, openDataDir } = await import('./open-data-dir.ts')

surviveStdioErrors()

/** One sentence for an error that the installer can correct, else the stack trace. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DataError) return error.message
  if (error instanceof VigiaError) return error.detalhe
  if (!(error instanceof Error)) return String(error)
  const damage = [error, error.cause].find(isDamage)
  if (damage) return damagedSentence(resolve(process.env.VIGIA_DATA_DIR || './data', 'cloud'), damage.message)
  if ('code' in error && error.code === 'EADDRINUSE')
    return `A porta ${process.env.PORT || '8080'} já está em uso. Encerre o outro programa ou escolha outra com PORT.`
  if (unwritableDisk(error) === 'cheio')
    return (
      'O disco está cheio e a central não inicia: ' +
      'libere espaço na pasta de dados (VIGIA_DATA_DIR) e inicie de novo.'
    )
  if (unwritableDisk(error) === 'somente_leitura')
    return (
      'O disco da pasta de dados (VIGIA_DATA_DIR) está somente para leitura: ' +
      'confira ou troque o disco e inicie de novo.'
    )
  if ('code' in error && error.code === 'EACCES') return `Sem permissão: ${error.message}`
  return error.stack ?? error.message
}

function announce(line: string, secret?: string): void {
  process.stderr.write(secret !== undefined && process.stderr.isTTY ? `${line}\n${secret}\n` : `${line}\n`)
}

function fail(error: unknown): never {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
}

try {
  const config = loadConfig(process.env)
  const log = pino(
    { level: config.logLevel, base: { servico: 'cloud' }, mixin: activityFields },
    createLogDestination(),
  )
  const heartbeat = createHeartbeat({ onProblem: (err) => log.error({ err }, 'systemd not notified') })
  await openDataDir({ config, announce, step: heartbeat.step, now: Date.now() })
  const demonstrationEnded = () => heartbeat.report({ demonstracao: 'encerrada' })
  const app = createApp({ config, log, announce, step: heartbeat.step, demonstrationEnded })

  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    // A blocked stop ends after five seconds.
    setTimeout(() => process.exit(1), config.drenagemMs + 4_900).unref()
    app.stop().then(() => process.exit(0), fail)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  // The parent process has ended.
  process.on('disconnect', stop)

  const { port } = await app.start()
  log.info({ porta: port }, 'pronto')
  await heartbeat.ready({ porta: port, check: app.alive })
} catch (error) {
  fail(error)
}
