import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { temporaryDiskFolder } from '@vigia/testing/temporary-folder'
import { fillFolder } from '../telas/fill-folder.ts'
import { fillLists } from './fill-lists-store.ts'
import { findFaults, MOST_CPU_MS, walkReads } from './walk.ts'

/**
 * `npm run walk-reads -- [--eventos 300000] [--cameras 10000] [--pasta FOLDER]`: asks for every GET and every report of
 * a filled installation. The exit code is 0 when each one leaves the thread for a turn of the event loop within 50 ms
 * of its processor time. `--pasta` keeps the folder for the next run.
 */
const { values } = parseArgs({
  options: {
    eventos: { type: 'string', default: '300000' },
    cameras: { type: 'string', default: '10000' },
    pasta: { type: 'string' },
  },
})
const [events, cameras] = [Number(values.eventos), Number(values.cameras)]
if (!(events >= 1_000 && events <= 5_000_000) || !(cameras >= 500 && cameras <= 50_000)) {
  console.error('--eventos is a number from 1000 to 5000000, --cameras from 500 to 50000')
  process.exit(2)
}
const folder = values.pasta === undefined ? temporaryDiskFolder('vigia-walk-') : resolve(values.pasta)
if (!existsSync(resolve(folder, 'cloud/vigia.db'))) {
  await fillFolder(folder, { events, cameras })
  fillLists(folder, { events, cameras })
}
const { walked, skipped } = await walkReads(folder)
console.log(`${walked.length} requests of ${new Set(walked.map(({ route }) => route)).size} routes, the slowest:`)
for (const { cpuMs, status, path } of walked.toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, 15))
  console.log(`${cpuMs.toFixed(0)} ms, ${status}: GET ${path}`)
console.log(`not walked: ${skipped.join(', ')}`)
const faults = findFaults(walked)
console.log(faults.length === 0 ? `every one below ${MOST_CPU_MS} ms` : faults.join('\n'))
if (values.pasta === undefined) await rm(folder, { recursive: true, force: true })
process.exit(faults.length === 0 ? 0 : 1)
