import { spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Two empty blocks end a tar archive. */
const END_BYTES = 1024
const LEVEL = { level: 9 }
/** The user's TAR_OPTIONS and GZIP would change the bytes. */
const env = { PATH: process.env.PATH, LC_ALL: 'C' }

function tar(args: readonly string[], input = ''): Buffer {
  const { status, stdout, stderr, error } = spawnSync('tar', args, { env, input, maxBuffer: 4 * 1024 ** 3 })
  if (error) throw error
  if (status !== 0) throw new Error(`tar ${args.join(' ')}: ${stderr}`)
  return stdout
}

/** Unpacks a tar archive into a new folder, without its first `strip` folders. */
export function unpack(archive: string, to: string, strip = 0): void {
  mkdirSync(to, { recursive: true })
  tar(['-xf', archive, '-C', to, `--strip-components=${strip}`, '--no-same-owner', '--no-same-permissions'])
}

/**
 * Every file and link below a folder, as sorted paths from there. `readdirSync` with `recursive` would also enter the
 * folders that links name.
 */
export function filesBelow(folder: string): string[] {
  const found: string[] = []
  const enter = (at: string) => {
    for (const entry of readdirSync(join(folder, at), { withFileTypes: true })) {
      const path = posix.join(at, entry.name)
      if (entry.isDirectory()) enter(path)
      else found.push(path)
    }
  }
  enter('')
  return found.sort()
}

export interface Packed {
  /** A gzip member with tar records, without the end mark. */
  readonly packed: Buffer
  /** Sum of the files, bytes. */
  readonly installed: number
}

/**
 * Packs files of the folder `tree`, with the folders above them. Equal files make equal bytes: sorted, owned by root,
 * with fixed modes and the time `mtimeS` (epoch seconds).
 */
export function packFiles(tree: string, files: readonly string[], mtimeS: number): Packed {
  const folders = files.flatMap((file) => {
    const steps = file.split('/').slice(0, -1)
    return steps.map((_, index) => steps.slice(0, index + 1).join('/'))
  })
  const names = [...new Set([...folders, ...files])].sort()
  const args = ['--no-recursion', '--null', '--files-from=-', '--format=gnu', '--blocking-factor=1']
  const fixed = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX', '--hard-dereference']
  const whole = tar(['-c', '-C', tree, ...fixed, `--mtime=@${mtimeS}`, ...args], names.join('\0'))
  const installed = files.reduce((sum, file) => sum + lstatSync(join(tree, file)).size, 0)
  return { packed: gzipSync(whole.subarray(0, -END_BYTES), LEVEL), installed }
}

/** The last member of an archive: the end mark of tar. */
export const archiveEnd = (): Buffer => gzipSync(Buffer.alloc(END_BYTES), LEVEL)
