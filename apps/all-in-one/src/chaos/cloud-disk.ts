import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shrinkToContent } from '@vigia/testing/small-disk'

/** A tmpfs that holds the cloud's data, so that it can be full. */
export interface CloudDisk {
  /** Called before the cloud has a folder. */
  put(dataDir: string): void
  fill(): void
  free(): void
  /** @param keepIn the data is copied there, in the place of the link; null: discarded */
  close(keepIn: string | null): void
}

/** More than a run of hundreds of rounds writes. It is memory only as far as it is used. */
const SIZE = 1024 * 1024 * 1024

const mount = (...args: string[]): boolean => spawnSync('mount', args, { stdio: 'ignore' }).status === 0

/** null: this process may not mount. */
export function mountCloudDisk(): CloudDisk | null {
  const dir = mkdtempSync(join(tmpdir(), 'vigia-nuvem-'))
  if (!mount('-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', dir)) {
    rmdirSync(dir)
    return null
  }
  const resize = (bytes: number) => mount('-o', `remount,size=${bytes}`, dir)
  const place = (dataDir: string) => join(dataDir, 'cloud')
  return {
    put: (dataDir) => symlinkSync(dir, place(dataDir)),
    fill: () => shrinkToContent(dir, resize),
    free: () => {
      if (!resize(SIZE)) throw new Error('the disk was not freed')
    },
    close(keepIn) {
      if (keepIn !== null) {
        rmSync(place(keepIn))
        cpSync(dir, place(keepIn), { recursive: true })
      }
      spawnSync('umount', ['-l', dir])
      rmdirSync(dir)
    },
  }
}

const WITHIN = 'VIGIA_CHAOS_NAMESPACE'
const NAMESPACE = ['--user', '--map-root-user', '--mount']

/**
 * Runs this very program again in a mount namespace of its own, where it may mount, and whose mounts end with it; returns the exit
 * status. null: this is that run, or no namespace can be had here.
 */
export function runWithinNamespace(): number | null {
  if (process.env[WITHIN] !== undefined || spawnSync('unshare', [...NAMESPACE, 'true']).status !== 0) return null
  const command = [...NAMESPACE, process.execPath, ...process.argv.slice(1)]
  return spawnSync('unshare', command, { stdio: 'inherit', env: { ...process.env, [WITHIN]: '1' } }).status ?? 1
}
