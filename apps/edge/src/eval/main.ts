// The first statement, before anything that an older Node can not read.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write('A avaliação precisa do Node 24 ou mais novo: rode-a com `npm run eval`.\n')
  process.exit(1)
}

const { parseArgs } = await import('node:util')
const { fileURLToPath } = await import('node:url')
const { VigiaError } = await import('@vigia/contracts/errors')
const { evaluate } = await import('./evaluate.ts')

const USAGE = 'Uso: npm run eval -- [--data PASTA] [--json ARQUIVO|-]'
const defaultData =
  process.env.VIGIA_DADOS_TESTE ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url))

/** Exit code: 0 all as labelled, 1 a person missed or an event where nothing moves, 2 nothing to evaluate or a wrong call. */
async function main(): Promise<number> {
  const options = { data: { type: 'string' }, json: { type: 'string' }, help: { type: 'boolean' } } as const
  try {
    const { values } = parseArgs({ options, args: process.argv.slice(2) })
    if (values.help) {
      process.stdout.write(`${USAGE}\n`)
      return 0
    }
    return await evaluate({ dataDir: values.data ?? defaultData, json: values.json ?? null })
  } catch (error) {
    const expected = error instanceof VigiaError || (error instanceof TypeError && 'code' in error)
    if (!expected) throw error
    process.stderr.write(`${error instanceof VigiaError ? error.detalhe : `${error.message}\n${USAGE}`}\n`)
    return 2
  }
}

process.exitCode = await main()
