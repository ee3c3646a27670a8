import { createHash } from 'node:crypto'
import type { MediaStore } from '../../adapters/media-store/interface.ts'
import { runWriters } from '../../adapters/media-store/run-writers.ts'
import type { PathList } from '../../db/transfer/named-paths.ts'
import { CommandError } from '../command.ts'
import type { Progress } from '../progress.ts'

interface MediaCopy {
  readonly from: MediaStore
  readonly to: MediaStore
  readonly paths: PathList
  readonly progress: Progress
}

export interface CopiedMedia {
  readonly files: number
  readonly bytes: number
  /** Files that rows name and that the source lacks. */
  readonly missing: number
}

/**
 * Copies all files; in a resumed move, those that the target lacks. Both stores write atomically, so that one of the
 * same size is complete.
 */
export async function copyMedia({ from, to, paths, progress }: MediaCopy, isResumed: boolean): Promise<CopiedMedia> {
  const done = { files: 0, bytes: 0, missing: 0 }
  progress.begin('Imagens e clipes', paths.count)
  for (const group of paths.groups())
    await runWriters(group, async (path) => {
      const size = await from.size(path)
      if (size === null) done.missing += 1
      else {
        if (!isResumed || (await to.size(path)) !== size) await copyFile(from, to, { path, size })
        done.files += 1
        done.bytes += size
      }
      progress.add(1)
    })
  return done
}

async function copyFile(
  from: MediaStore,
  to: MediaStore,
  { path, size }: { readonly path: string; readonly size: number },
): Promise<void> {
  const chunks = await from.open(path)
  if (chunks === null)
    throw new CommandError(`O arquivo ${path} sumiu durante a mudança. Pare o serviço e tente de novo.`)
  await to.put(path, { size, chunks })
}

/** Compares the hashes of all files on both sides. @returns the paths that differ */
export async function compareMedia({ from, to, paths, progress }: MediaCopy): Promise<string[]> {
  const different: string[] = []
  progress.begin('Conferência das imagens', paths.count)
  for (const group of paths.groups())
    await runWriters(group, async (path) => {
      const [was, is] = [await hashOf(from, path), await hashOf(to, path)]
      if (was !== is) different.push(path)
      progress.add(1)
    })
  return different
}

async function hashOf(store: MediaStore, path: string): Promise<string | null> {
  const stream = await store.open(path)
  if (stream === null) return null
  const hash = createHash('sha256')
  for await (const chunk of stream) hash.update(chunk)
  return hash.digest('hex')
}
