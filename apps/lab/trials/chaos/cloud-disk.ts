import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shrinkToContent } from '@vigia/testing/small-disk'

/** A tmpfs for the cloud's data that a fault can fill. */
export interface CloudDisk {
  /** Called before the cloud creates its folder. */
  put(dataDir: string): void
  fill(): void
  free(): void
  /** @param keepIn folder whose link is replaced by a copy of the data; null: the data are discarded */
  close(keepIn: string | null): void
}

/** Size in bytes: more than hundreds of rounds write. Only used bytes take memory. */
const SIZE = 1024 * 1024 * 1024

const mount = (...args: string[]): boolean => spawnSync('mount', args, { stdio: 'ignore' }).status === 0

/** Null: this process has no permission to mount. */
export function mountCloudDisk(): CloudDisk | null {
  const dir = mkdtempSync(join(tmpdir(), 'vigia-nuvem-'))
  if (!mount('-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', dir)) {
    rmdirSync(dir)
    return null
  }
  const resize = (bytes: number) => mount('-o', `remount,size=${bytes}`, dir)
  const folderIn = (dataDir: string) => join(dataDir, 'cloud')
  return {
    put: (dataDir) => symlinkSync(dir, folderIn(dataDir)),
    fill: () => shrinkToContent(dir, resize),
    free: () => {
      if (!resize(SIZE)) throw new Error('the disk was not freed')
    },
    close(keepIn) {
      if (keepIn !== null) {
        rmSync(folderIn(keepIn))
        cpSync(dir, folderIn(keepIn), { recursive: true })
      }
      spawnSync('umount', ['-l', dir])
      rmdirSync(dir)
    },
  }
}

const WITHIN = 'VIGIA_CHAOS_NAMESPACE'
const NAMESPACE = ['--user', '--map-root-user', '--mount']

/**
 * Runs this program again in a separate mount namespace. The second run may mount, and its mounts end with it. Returns
 * the exit status of the second run; null: this is the second run, or namespaces are unavailable.
 */
export function runWithinNamespace(): number | null {
  if (process.env[WITHIN] !== undefined || spawnSync('unshare', [...NAMESPACE, 'true']).status !== 0) return null
  const command = [...NAMESPACE, process.execPath, ...process.argv.slice(1)]
  return spawnSync('unshare', command, { stdio: 'inherit', env: { ...process.env, [WITHIN]: '1' } }).status ?? 1
}
