import { parseArgs } from 'node:util'
import { loadConfig } from '../config.ts'
import { commands, findCommand, usage } from './commands.ts'
import { explain } from './explain.ts'
import { askSecret } from './passphrase.ts'
import { createProgress } from './progress.ts'

const WRONG_USE = 2
const HELP = new Set(['--help', '-h', 'ajuda'])

/** Runs the command that these arguments name. @returns the exit code */
export async function runCommand(args: readonly string[]): Promise<number> {
  const called = parse(args)
  if (called === null) {
    const isQuestion = args.length === 1 && HELP.has(args[0] ?? '')
    process[isQuestion ? 'stdout' : 'stderr'].write(`${usage}\n`)
    return isQuestion ? 0 : WRONG_USE
  }
  const { stderr, stdout } = process
  const progress = createProgress({
    write: (text) => stderr.write(text),
    isTerminal: stderr.isTTY,
    columns: stderr.columns,
  })
  const context = {
    config: () => loadConfig(process.env),
    env: process.env,
    progress,
    ask: askSecret,
    print: (line: string) => void stdout.write(`${line}\n`),
  }
  try {
    return await called.run(context, { names: called.names, flags: called.flags })
  } catch (error) {
    progress.end()
    stderr.write(`${explain(error)}\n`)
    return 1
  }
}

/** null: wrong use */
function parse(args: readonly string[]) {
  const names = [...new Set(commands.flatMap(({ flags }) => flags))]
  const options = Object.fromEntries(names.map((name) => [name, { type: 'boolean' as const }]))
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true })
    const flags = new Set(Object.keys(values))
    const found = findCommand(positionals, flags)
    return found && { ...found, flags }
  } catch {
    return null
  }
}
