import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { checkFile } from './check.ts'
import { covers, proseFiles } from './files.ts'
import { printSample } from './sample.ts'
import { printTable } from './table.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const { values } = parseArgs({
  options: {
    workspace: { type: 'string' },
    table: { type: 'boolean' },
    since: { type: 'string' },
    sample: { type: 'string' },
    seed: { type: 'string' },
  },
})

if (values.table) printTable(root, values.since)
else if (values.sample !== undefined) {
  const [count, seed] = [Number(values.sample), Number(values.seed)]
  if (!values.workspace || !Number.isSafeInteger(seed) || !Number.isSafeInteger(count)) {
    process.stderr.write('Use: npm run prose -- --sample 40 --seed 1 --workspace packages/ias\n')
    process.exit(2)
  }
  printSample(root, values.workspace, seed, count)
} else {
  const { workspace } = values
  const files = proseFiles(root).filter((file) => !workspace || covers(workspace, file))
  if (workspace && files.length === 0) {
    process.stderr.write(`No file belongs to ${workspace}. Names look like packages/ias, apps/cloud:cameras, docs.\n`)
    process.exit(2)
  }
  const found = files.flatMap((file) => checkFile(root, file).map(({ line, message }) => `${file}:${line}: ${message}`))
  if (found.length) {
    const where = 'docs/architecture.md, "Language"'
    process.stderr.write(`${found.join('\n')}\n${found.length} violations of ${where}\n`)
    process.exitCode = 1
  }
}
