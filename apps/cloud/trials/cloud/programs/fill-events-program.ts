import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { openDatabase } from '../../../src/db/open.ts'
import { databaseFile } from '../../../src/db/place.ts'
import { fillEvents } from '../../../src/test/stores/million-events-store.ts'
import { readTask, reportResult } from './report.ts'

/**
 * Fills a new data folder with eventos of a year, without pictures and without words of the search. The folder gets its
 * name when it is complete; until then the parent watches the size of its file.
 */
interface Task {
  readonly dataDir: string
  readonly events: number
}

const { dataDir, events } = readTask<Task>()
const unfinished = join(dirname(dataDir), '.unfinished')
const file = databaseFile(join(unfinished, 'cloud'))
await rm(unfinished, { recursive: true, force: true })
await mkdir(join(unfinished, 'cloud'), { recursive: true, mode: 0o700 })
await ensureInstallationPki({ dir: unfinished, brokerHosts: [] })
const begun = performance.now()
await fillEvents(file, events)
const db = await openDatabase(file)
// The index of words belongs to the search.
await db.deleteFrom('busca_preenchimento').execute()
await db.destroy()
await rename(unfinished, dataDir)
reportResult({ seconds: (performance.now() - begun) / 1000 })
