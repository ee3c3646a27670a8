if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write('O simulador precisa do Node 24, que vem com os pacotes: use `npm start`.\n')
  process.exit(1)
}
const { VigiaError } = await import('@vigia/contracts/errors')
const { createHeartbeat } = await import('@vigia/runtime/heartbeat')
const { surviveStdioErrors } = await import('@vigia/runtime/log-destination')
const { readConfig } = await import('./config.ts')
const { readControl } = await import('./control.ts')
const { createSimulator } = await import('./simulator.ts')

surviveStdioErrors()

/** One JSON line per entry, in the format of the other programs' logs. */
const log = (level: 30 | 40, msg: string, fields: Record<string, unknown> = {}) =>
  process.stdout.write(`${JSON.stringify({ level, time: Date.now(), name: 'dvr-simulator', ...fields, msg })}\n`)

try {
  const options = readConfig(process.argv.slice(2), process.env)
  const simulator = createSimulator({
    ...options,
    onAviso: (texto) => log(40, texto),
    onPlay: (start) => log(30, 'toca', { ...start }),
  })
  const heartbeat = createHeartbeat({
    onProblem: (error) => log(40, 'systemd not notified', { motivo: String(error) }),
  })
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    void simulator.stop().then(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  // Writes the counters to the log, for the tests of clients.
  process.on('SIGUSR2', () => log(30, 'contagem', { ...simulator.contagem }))
  process.on('message', async (message) => {
    const control = readControl(message)
    if (!control) return
    if ('quadro_chave' in control) return simulator.sendKeyframe(control.canal, control.quadro_chave)
    if (control.pausa === null) return simulator.resume(control.canal)
    await simulator.pause(control.canal, control.pausa)
    log(30, 'pausado', control)
  })
  // The parent program has ended.
  process.on('disconnect', stop)

  const { porta } = await simulator.start()
  if (!stopping) {
    log(30, 'pronto', {
      porta,
      canais: options.canais.length,
      senha: options.usuario === undefined ? 'nenhuma' : 'exigida',
    })
    await heartbeat.ready({ porta })
  }
} catch (error) {
  process.stderr.write(`${error instanceof VigiaError ? error.detalhe : (error as Error).stack}\n`)
  process.exit(1)
}
