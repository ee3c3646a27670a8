// First statement, before any code that an older Node cannot parse.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write('A avaliação precisa do Node 24 ou mais novo: rode-a com `npm run eval`.\n')
  process.exit(1)
}

import type { EvaluateOptions } from './evaluate.ts'

const { parseArgs } = await import('node:util')
const { resolve } = await import('node:path')
const { fileURLToPath } = await import('node:url')
const { VigiaError } = await import('@vigia/contracts/errors')
const { evaluate } = await import('./evaluate.ts')
const { evaluateVerifier } = await import('./verificador/evaluate-verifier.ts')
const { fitScore } = await import('./verificador/fit-score.ts')

const USAGE = `Uso: npm run eval -- [--data PASTA] [--json ARQUIVO|-] [--markdown ARQUIVO|-] [--stress]
       [--only videos|imagens] [--include-training] [--models PASTA] [--processes N]
     npm run eval -- --ajustar [--data PASTA] [--pontuacoes ARQUIVO]
     npm run eval -- --verificador [--data PASTA] [--only videos|imagens] [--json ARQUIVO|-] [--markdown ARQUIVO|-]
       [--pontuacoes ARQUIVO]`
const defaultData =
  process.env.VIGIA_DADOS_TESTE ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url))

const flags = {
  data: { type: 'string' },
  json: { type: 'string' },
  markdown: { type: 'string' },
  stress: { type: 'boolean' },
  verificador: { type: 'boolean' },
  ajustar: { type: 'boolean' },
  pontuacoes: { type: 'string' },
  only: { type: 'string' },
  'include-training': { type: 'boolean' },
  models: { type: 'string' },
  processes: { type: 'string' },
  help: { type: 'boolean' },
} as const

class WrongCall extends Error {}

interface Options extends EvaluateOptions {
  readonly verificador: boolean
  readonly ajustar: boolean
  readonly pontuacoes: string | null
}

function optionsOf(args: readonly string[]): Options | null {
  const { values } = parseArgs({ options: flags, args: [...args] })
  if (values.help) return null
  const { only = null, processes = '2' } = values
  if (only !== null && only !== 'videos' && only !== 'imagens')
    throw new WrongCall(`--only ${only}: use videos ou imagens.`)
  if (!/^[1-9]\d?$/.test(processes)) throw new WrongCall(`--processes ${processes}: use um número de 1 a 99.`)
  return {
    dataDir: resolve(values.data ?? defaultData),
    json: values.json ?? null,
    markdown: values.markdown ?? null,
    stress: values.stress ?? false,
    verificador: values.verificador ?? false,
    ajustar: values.ajustar ?? false,
    pontuacoes: values.pontuacoes ?? null,
    only,
    includeTraining: values['include-training'] ?? false,
    modelsFolder: values.models === undefined ? null : resolve(values.models),
    processes: Number(processes),
  }
}

/** Exit code: 0 all bounds kept, 1 a broken bound or unreadable video, 2 nothing to evaluate or an invalid call. */
async function main(): Promise<number> {
  try {
    const options = optionsOf(process.argv.slice(2))
    if (options?.ajustar) return await fitScore(options.dataDir, options.pontuacoes)
    if (options) return await (options.verificador ? evaluateVerifier(options) : evaluate(options))
    process.stdout.write(`${USAGE}\n`)
    return 0
  } catch (error) {
    if (error instanceof VigiaError) {
      process.stderr.write(`${error.detalhe}\n`)
      return 2
    }
    const wrongCall = error instanceof WrongCall || (error instanceof TypeError && 'code' in error)
    if (!wrongCall) throw error
    process.stderr.write(`${error.message}\n${USAGE}\n`)
    return 2
  }
}

process.exitCode = await main()
