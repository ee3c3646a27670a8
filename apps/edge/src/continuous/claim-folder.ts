import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfExists } from '@vigia/link/pki/files'

/** Name of the file that names the edge. */
const OWNER_FILE = 'dono'

/**
 * Deletes the recordings of another edge or installation in `folder`: the disk was moved, and their cameras may have
 * the same numbers. Files that are not recordings stay.
 */
export async function claimFolder(folder: string, owner: string): Promise<void> {
  const path = join(folder, OWNER_FILE)
  if ((await readIfExists(path)) === owner) return
  for (const name of await readdir(folder))
    if (/^\d+$/.test(name)) await rm(join(folder, name), { recursive: true, force: true })
  await writeFile(path, owner, { mode: 0o600 })
}
