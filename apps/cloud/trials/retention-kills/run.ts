import { spawn } from 'node:child_process'
import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { entries } from '../../src/db/data-register/data-register.ts'
import { type NamingTable, namedByRow } from '../../src/db/named-files.ts'
import { type Database, openDatabase } from '../../src/db/open.ts'
import { seedRetention } from '../../src/test/records/retention-records.ts'

const NOW = 1_790_000_000_000
const program = fileURLToPath(new URL('sweep-program.ts', import.meta.url))

/** Every table: a sweep changes some, and must not change the others. */
const compared = entries.map(([name]) => name)

export interface Kills {
  /** Steps at which the sweep can be killed. */
  readonly steps: number
  /** Steps at which it was killed. */
  readonly killed: readonly number[]
  readonly problems: readonly string[]
}

/**
 * Kills a sweep and a deletion by period at `points` random steps. After each kill no kept record has lost a file. The
 * next run must lead to the same rows and files as an undisturbed one.
 */
export async function runKills(points: number, onKill: (step: number) => void = () => {}): Promise<Kills> {
  const root = temporaryFolder('vigia-retention-kills-')
  try {
    const seeded = join(root, 'seeded')
    const empresaId = await seedRetention(seeded, NOW)
    const reference = join(root, 'reference')
    await cp(seeded, reference, { recursive: true })
    const { output } = await sweep(reference, empresaId, 0)
    const expected = await describe(reference)
    const steps = Number(output)
    const killed: number[] = []
    const problems = (await orphans(reference)).map((each) => `undisturbed sweep: ${each}`)
    for (let i = 0; i < points; i += 1) {
      const at = 1 + Math.floor(Math.random() * steps)
      onKill(at)
      killed.push(at)
      const dir = join(root, `kill-${i}`)
      await cp(seeded, dir, { recursive: true })
      const { signal } = await sweep(dir, empresaId, at)
      if (signal !== 'SIGKILL') problems.push(`step ${at}: the sweep ended before the kill`)
      for (const each of await lost(dir)) problems.push(`step ${at}: ${each}`)
      await sweep(dir, empresaId, 0)
      const after = await describe(dir)
      for (const name of Object.keys(expected))
        if (after[name] !== expected[name]) problems.push(`step ${at}: ${name} differ from an undisturbed sweep`)
      await rm(dir, { recursive: true })
    }
    return { steps, killed, problems }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** Runs the program to its end, also by a kill. */
const sweep = (dir: string, empresaId: number, killStep: number) =>
  new Promise<{ readonly signal: string | null; readonly output: string }>((resolve, reject) => {
    const args = [program, dir, String(empresaId), String(NOW), String(killStep)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += String(chunk)
    })
    child.on('error', reject)
    child.on('close', (_code, signal) => resolve({ signal, output }))
  })

async function opened<T>(dir: string, read: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(join(dir, 'vigia.db'))
  try {
    return await read(db)
  } finally {
    await db.destroy()
  }
}

/** Rows of each table, and the files. */
const describe = (dir: string): Promise<Record<string, string>> =>
  opened(dir, async (db) => {
    const found: Record<string, string> = { files: (await filesOf(dir)).join('\n') }
    for (const name of compared) {
      const rows = await db
        .selectFrom(name as 'eventos')
        .selectAll()
        .execute()
      found[name] = rows
        .map((row) => JSON.stringify(row))
        .sort()
        .join('\n')
    }
    return found
  })

async function filesOf(dir: string): Promise<string[]> {
  const entries = await readdir(join(dir, 'media'), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(dir, 'media').length + 1))
    .sort()
}

/** Files that rows name and that do not exist. */
const lost = async (dir: string): Promise<string[]> => {
  const files = new Set(await filesOf(dir))
  return (await namedFiles(dir)).flatMap((path) => (files.has(path) ? [] : `${path} is gone`))
}

/** Files without a row, and rows without a file. */
const orphans = async (dir: string): Promise<string[]> => {
  const named = new Set(await namedFiles(dir))
  const left = (await filesOf(dir)).flatMap((path) => (named.has(path) ? [] : `${path} is left`))
  return [...left, ...(await lost(dir))]
}

/** Files that rows name. */
const namedFiles = (dir: string): Promise<string[]> =>
  opened(dir, async (db) => {
    const named: string[] = []
    for (const table of Object.keys(namedByRow) as NamingTable[]) {
      const rows = await db
        .selectFrom(table as 'eventos')
        .selectAll()
        .execute()
      named.push(...rows.flatMap(namedByRow[table] as (row: unknown) => string[]))
    }
    return [...new Set(named)]
  })
