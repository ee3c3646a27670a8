import { fileURLToPath } from 'node:url'
import { runCommand } from './run-command.ts'

/** `npm run release`: makes a release from the checkout in which this file lies. */
const root = fileURLToPath(new URL('../../../', import.meta.url))
process.exitCode = runCommand(process.argv.slice(2), root, (text) => process.stdout.write(text))
