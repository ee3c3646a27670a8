import { parseArgs } from 'node:util'
import { machineName } from '../../../lab/src/machine.ts'
import { createProgress } from '../../../lab/src/progress.ts'
import { toText } from '@vigia/testing/table'
import { type PartName, parts } from './parts.ts'
import { COLUMNS, toCells } from './result.ts'

/**
 * `npm run bench:cloud -- [--ingestao] [--lista] [--alertas] [--edges] [--login]
 * [--replicas] [--banco postgres] [--rapido]`
 *
 * Measures the cloud as real processes on this machine, each part beside a peer in the same run. Without a name all
 * parts run. Exit code: 0 every goal reached, 1 a goal missed, 2 an invalid call.
 */
const names = Object.keys(parts) as PartName[]
const flags = names.map((name) => `--${name}`).join(' ')
const USAGE = `Uso: npm run bench:cloud -- [${flags}] [--banco sqlite|postgres] [--rapido]`

function readArguments() {
  const flag = { type: 'boolean', default: false } as const
  const options = {
    ...{ ingestao: flag, lista: flag, alertas: flag, edges: flag, login: flag, replicas: flag, rapido: flag },
    banco: { type: 'string', default: 'sqlite' },
  } as const
  try {
    return parseArgs({ options, args: process.argv.slice(2) }).values
  } catch (error) {
    // null: parseArgs rejects the call. Other errors are thrown.
    if (error instanceof TypeError && 'code' in error) return null
    throw error
  }
}

async function main(): Promise<number> {
  const values = readArguments()
  const banco = values?.banco
  if (!values || (banco !== 'sqlite' && banco !== 'postgres')) {
    process.stderr.write(`${USAGE}\n`)
    return 2
  }
  const asked = names.filter((name) => values[name])
  const progress = createProgress()
  const rows: string[][] = []
  let failed = false
  for (const name of asked.length > 0 ? asked : names) {
    const lines = await parts[name]({ banco, rapido: values.rapido }, (fraction, title) =>
      progress.at(fraction, `${name}: ${title}`),
    )
    rows.push(...lines.map(toCells))
    failed ||= lines.some(({ falhou }) => falhou === true)
  }
  progress.clear()
  const nota = `${machineName()}; carga: média do último minuto; alertas, edges e login em ${banco}`
  const table = { titulo: 'Central sob carga', nota, colunas: COLUMNS, linhas: rows }
  process.stdout.write(`${toText(table)}\n`)
  return failed ? 1 : 0
}

process.exit(await main())
