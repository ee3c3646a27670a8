import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { temporaryDiskFolder } from '@vigia/testing/temporary-folder'
import type { Result, TrialOutput } from '@vigia/testing/trial'
import type { z } from 'zod'
import { fillFolder } from '../telas/fill-folder.ts'
import { fillLists } from './fill-lists-store.ts'
import type trial from './trial.ts'
import { findFaults, MOST_CPU_MS, walkReads } from './walk.ts'

type Options = z.output<typeof trial.options>

/** Requests in the table. */
const SHOWN = 15

/** Fills a data folder, unless it is kept from an earlier run, and walks through its reads. */
export async function carryOut(options: Options, { print, progress }: TrialOutput): Promise<Result> {
  const { eventos: events, cameras, pasta, only } = options
  const folder = pasta === undefined ? temporaryDiskFolder('vigia-walk-') : resolve(pasta)
  try {
    if (!existsSync(resolve(folder, 'cloud/vigia.db'))) {
      await fillFolder(folder, { events, cameras }, (title) => progress(0, title))
      fillLists(folder, { events, cameras })
    }
    const { walked, skipped } = await walkReads(folder, { only })
    const faults = findFaults(walked)
    print(`not walked: ${skipped.join(', ')}`)
    print(faults.length === 0 ? `every one below ${MOST_CPU_MS} ms` : faults.join('\n'))
    print(`${walked.length} requests of ${new Set(walked.map(({ route }) => route)).size} routes, the slowest:`)
    const slowest = walked.toSorted((a, b) => b.cpuMs - a.cpuMs).slice(0, SHOWN)
    return {
      passed: faults.length === 0,
      rows: slowest.map(({ cpuMs, status, path }) => ({ 'thread, ms': Math.round(cpuMs), status, GET: path })),
    }
  } finally {
    if (pasta === undefined) await rm(folder, { recursive: true, force: true })
  }
}
