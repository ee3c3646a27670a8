// First statement, before any code that an older Node cannot parse.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write('A avaliação precisa do Node 24 ou mais novo: rode-a com `npm run eval`.\n')
  process.exit(1)
}

import type { LongOptions } from './longo/evaluate-long.ts'

const { parseArgs } = await import('node:util')
const { join, resolve } = await import('node:path')
const { tmpdir } = await import('node:os')
const { fileURLToPath } = await import('node:url')
const { VigiaError } = await import('@vigia/contracts/errors')
const { perfis } = await import('./longo/scenes.ts')

interface Options extends LongOptions {
  readonly vtest: string | null
  readonly pontuacoes: string | null
  /** Number of composed scenes. */
  readonly cenas: number
  readonly clips: readonly string[]
}

/** A measurement with a flag of its own. */
interface Part {
  /** Its further flags. */
  readonly usage: string
  /** Returns the exit code. */
  run(options: Options): Promise<number>
}

const REPORT = '[--json ARQUIVO|-] [--markdown ARQUIVO|-]'

const parts = {
  ajustar: {
    usage: '[--data PASTA] [--pontuacoes ARQUIVO]',
    run: async ({ dataDir, pontuacoes }) => (await import('./verificador/fit-score.ts')).fitScore(dataDir, pontuacoes),
  },
  verificador: {
    usage: `[--data PASTA] [--only videos|imagens] [--pontuacoes ARQUIVO] ${REPORT}`,
    run: async (options) => (await import('./verificador/evaluate-verifier.ts')).evaluateVerifier(options),
  },
  longo: {
    usage: `[--horas N] [--perfil parado|movimentado] [--estado PASTA] [--data PASTA] [--processes N] ${REPORT}`,
    run: async (options) => (await import('./longo/evaluate-long.ts')).evaluateLong(options),
  },
  rastreio: {
    usage: '--vtest ARQUIVO [--data PASTA] [--models PASTA]',
    run: async (options) => (await import('./rastreio/evaluate-tracking.ts')).evaluateTracking(options),
  },
  epi: {
    usage: '[--data PASTA] [--models PASTA]',
    run: async ({ dataDir, modelsFolder }) =>
      (await import('./ppe/evaluate-ppe.ts')).evaluatePpe(dataDir, modelsFolder),
  },
  clima: {
    usage: '--vtest ARQUIVO [--models PASTA]',
    run: async (options) => (await import('./weather/evaluate-weather.ts')).evaluateWeather(options),
  },
  composto: {
    usage: '[--data PASTA] [--clipe ARQUIVO]... [--cenas N]',
    run: async (options) =>
      (await import('./composto/evaluate-composed.ts')).evaluateComposed({ ...options, count: options.cenas }),
  },
  noites: {
    usage: '[--data PASTA] [--horas N]',
    run: async ({ dataDir, horas }) => (await import('./weather/nights.ts')).evaluateNights(dataDir, horas),
  },
  veiculos: {
    usage: '[--data PASTA]',
    run: async ({ dataDir }) => (await import('./veiculos/evaluate-vehicles.ts')).evaluateVehicles(dataDir),
  },
  'modo-b': {
    usage: '[--data PASTA]',
    run: async ({ dataDir }) => (await import('./modo-b/evaluate-plates.ts')).evaluatePlates(dataDir),
  },
} satisfies Record<string, Part>
type PartName = keyof typeof parts
const partNames = Object.keys(parts) as PartName[]

const USAGE = `Uso: npm run eval -- [--data PASTA] [--stress] [--only videos|imagens] [--include-training]
       [--models PASTA] [--processes N] ${REPORT}
${partNames.map((name) => `     npm run eval -- --${name} ${parts[name].usage}`).join('\n')}`
const defaultData =
  process.env.VIGIA_DADOS_TESTE ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url))

const flags = {
  data: { type: 'string' },
  json: { type: 'string' },
  markdown: { type: 'string' },
  stress: { type: 'boolean' },
  vtest: { type: 'string' },
  estado: { type: 'string' },
  perfil: { type: 'string' },
  pontuacoes: { type: 'string' },
  horas: { type: 'string' },
  cenas: { type: 'string' },
  clipe: { type: 'string', multiple: true },
  only: { type: 'string' },
  'include-training': { type: 'boolean' },
  models: { type: 'string' },
  processes: { type: 'string' },
  help: { type: 'boolean' },
  ...(Object.fromEntries(partNames.map((name) => [name, { type: 'boolean' }])) as Record<
    PartName,
    { type: 'boolean' }
  >),
} as const

class WrongCall extends Error {}

/** The options, and the chosen part; null: the call asks for help. */
function readCall(args: readonly string[]): { readonly options: Options; readonly part: Part | null } | null {
  const { values } = parseArgs({ options: flags, args: [...args] })
  if (values.help) return null
  const chosen = partNames.filter((name) => values[name])
  if (chosen.length > 1) throw new WrongCall(`--${chosen.join(' e --')}: escolha uma medida.`)
  const { only = null, processes = '2', vtest = process.env.VIGIA_VTEST } = values
  const { horas = '24', cenas = '64', perfil, estado = join(tmpdir(), 'vigia-eval-longo') } = values
  if (only !== null && only !== 'videos' && only !== 'imagens')
    throw new WrongCall(`--only ${only}: use videos ou imagens.`)
  for (const [name, value] of Object.entries({ cenas, horas }))
    if (!/^[1-9]\d{0,3}$/.test(value)) throw new WrongCall(`--${name} ${value}: use um número.`)
  if (!/^[1-9]\d?$/.test(processes)) throw new WrongCall(`--processes ${processes}: use um número de 1 a 99.`)
  if (perfil !== undefined && !perfis.some((one) => one === perfil))
    throw new WrongCall(`--perfil ${perfil}: use ${perfis.join(' ou ')}.`)
  const options: Options = {
    dataDir: resolve(values.data ?? defaultData),
    json: values.json ?? null,
    markdown: values.markdown ?? null,
    stress: values.stress ?? false,
    horas: Number(horas),
    perfil: perfis.find((one) => one === perfil) ?? null,
    estado: resolve(estado),
    vtest: vtest === undefined ? null : resolve(vtest),
    pontuacoes: values.pontuacoes ?? null,
    cenas: Number(cenas),
    clips: (values.clipe ?? []).map((path) => resolve(path)),
    only,
    includeTraining: values['include-training'] ?? false,
    modelsFolder: values.models === undefined ? null : resolve(values.models),
    processes: Number(processes),
  }
  const [name] = chosen
  return { options, part: name ? parts[name] : null }
}

/** Exit code: 0 all bounds kept, 1 a broken bound or unreadable video, 2 nothing to evaluate or an invalid call. */
async function main(): Promise<number> {
  try {
    const call = readCall(process.argv.slice(2))
    if (call?.part) return await call.part.run(call.options)
    if (call) return await (await import('./evaluate.ts')).evaluate(call.options)
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
