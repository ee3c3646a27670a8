if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write('O Vigia precisa do Node 24, que vem com os pacotes: use `npm start`.\n')
  process.exit(1)
}
const { surviveStdioErrors } = await import('@vigia/runtime/log-destination')
const { createAllInOne, StartProblem } = await import('./app.ts')
const { ChildFailed } = await import('./child.ts')
const { readConfig } = await import('./config.ts')

surviveStdioErrors()
const say = (line: string) => void process.stdout.write(`${line}\n`)
const read = readConfig(process.env)
if (!read.ok) {
  process.stderr.write(`${read.problem}\n`)
  process.exit(1)
}

const vigia = createAllInOne(read.config, process.env, say)
let stopping: Promise<void> | null = null
const stop = (code: number) => {
  stopping ??= vigia.stop().then(() => {
    if (code === 0) say('Vigia parado.')
    process.exit(code)
  })
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    if (!stopping) say('\nParando…')
    stop(0)
  })

try {
  await vigia.start()
} catch (error) {
  if (stopping) await stopping
  const expected = error instanceof StartProblem || error instanceof ChildFailed
  process.stderr.write(`${expected ? error.message : (error as Error).stack}\n`)
  stop(1)
}
