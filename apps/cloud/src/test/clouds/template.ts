import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { onPostgres, testDatabaseUrl } from '@vigia/testing/test-databases'
import { type Database, type OpenOptions, openDatabase } from '../../db/open.ts'

interface TemplateFile {
  readonly path: string
  readonly content: Buffer
  readonly mode: number
}

const DATABASE = 'cloud/vigia.db'
let template: Promise<readonly TemplateFile[]> | undefined
/** The data directory of a new installation: keys, certificates and an empty database of the newest schema. */
const files = () => (template ??= makeTemplate())

async function makeTemplate(): Promise<readonly TemplateFile[]> {
  const dir = temporaryFolder('vigia-template-')
  try {
    await ensureInstallationPki({ dir, brokerHosts: [] })
    await (await openDatabase(join(dir, DATABASE))).destroy()
    const entries = await readdir(dir, { recursive: true, withFileTypes: true })
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    return await Promise.all(
      paths.map(async (path) => ({
        path: relative(dir, path),
        content: await readFile(path),
        mode: (await stat(path)).mode & 0o777,
      })),
    )
  } finally {
    await rm(dir, { recursive: true })
  }
}

async function write(path: string, { content, mode }: TemplateFile): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, content)
  await chmod(path, mode)
}

/** Fills the data directory of a new installation. All tests of this process share its keys. */
export async function writeInstallation(dir: string): Promise<void> {
  for (const file of await files()) await write(join(dir, file.path), file)
}

/**
 * Opens a database like the program. Copies a missing database from the template, without single migrations. In tests
 * on PostgreSQL, the path names a database of the test server.
 */
export const openTestDatabase = async (path: string, options?: OpenOptions): Promise<Database> =>
  openDatabase(await testPlace(path), options)

/** Where a program finds the database of `path`: the path, or a URL in tests on PostgreSQL. */
export async function testPlace(path: string): Promise<string> {
  if (onPostgres()) return testDatabaseUrl(path, async (url) => (await openDatabase(url)).destroy())
  const migrated = (await files()).find((file) => file.path === DATABASE)
  if (migrated && !existsSync(path)) await write(path, migrated)
  return path
}

/** The setting of a program for the database of `path`; none for SQLite, whose place follows from VIGIA_DATA_DIR. */
export async function testBanco(path: string): Promise<Record<string, string>> {
  return onPostgres() ? { VIGIA_BANCO: await testPlace(path) } : {}
}
