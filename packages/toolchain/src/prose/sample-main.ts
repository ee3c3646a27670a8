import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { drawSentences } from './sample.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const { values } = parseArgs({
  options: { workspace: { type: 'string' }, seed: { type: 'string' }, count: { type: 'string', default: '40' } },
})
const seed = Number(values.seed)
const count = Number(values.count)
if (!values.workspace || !Number.isSafeInteger(seed) || !Number.isSafeInteger(count)) {
  process.stderr.write('Use: npm run prose-sample -- --seed 1 --workspace packages/ias [--count 40]\n')
  process.exit(2)
}
const drawn = drawSentences(root, values.workspace, seed, count)
if (drawn.length === 0) process.stderr.write(`No sentence belongs to ${values.workspace}.\n`)
for (const [index, { file, line, text }] of drawn.entries())
  process.stdout.write(`${String(index + 1).padStart(2)}. ${text}\n    ${file}:${line}\n`)
