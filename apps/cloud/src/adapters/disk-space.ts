import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AvisoSaude } from '@vigia/contracts/saude'
import type { Ballast } from '@vigia/runtime/ballast'
import { unwritableDisk } from '@vigia/runtime/disk-failure'
import type { Logger } from '../http/request-log.ts'

type DiskWarning = Extract<AvisoSaude, `disco_${string}`>

/** Monitors the free space of the disks with the data. */
export interface DiskSpace {
  start(): void
  stop(): void
  /** null: enough space. */
  warning(): DiskWarning | null
  /**
   * Whether events may be stored. The last `minimumBytes` are reserved for logins, changes and the work of the
   * database.
   */
  hasSpace(): boolean
  /** Free and all bytes of the disk of the last folder; null: not reported. */
  measure(): { readonly free: number; readonly total: number } | null
  /** Free bytes on the fullest disk of the folders that exist; null: not reported. */
  leastFreeBytes(): number | null
  /** Inspects any error for signs of a full or read-only disk. */
  failed(error: unknown): void
  /** Runs an optional write of a read request. A full or read-only disk does not make it reject. */
  tolerate(write: () => Promise<unknown>): Promise<void>
}

interface DiskSpaceDeps {
  /** Folders, possibly on different disks. The first one holds the trial file. */
  readonly dirs: readonly [string, ...string[]]
  /** Below it: `disco_baixo`. At most LOW_SHARE of the disk. */
  readonly lowBytes: number
  /** Below it: `disco_cheio`. Less on a small disk (`minimumOf`). */
  readonly minimumBytes: number
  readonly ballast: Ballast
  readonly log: Logger
  readonly everyMs?: number
}

/** This bound prevents a permanent warning on a small disk. */
const LOW_SHARE = 0.2
const MINIMUM_SHARE = 0.05
/** Larger than the ballast: the space that a start releases stays reserved for logins and changes. */
const MINIMUM_LEAST_BYTES = 10 * 1024 * 1024
const MINIMUM_MOST_SHARE = 0.25
const EVERY_MS = 2_000
/** Larger than the data that a file system stores inside an inode. */
const TRIAL_BYTES = 64 * 1024

const advice: Readonly<Record<DiskWarning, string>> = {
  disco_baixo: 'pouco espaço em disco: libere espaço',
  disco_cheio: 'disco cheio: eventos ficam nas caixas e mudanças são recusadas até que se libere espaço',
  disco_somente_leitura: 'disco somente para leitura ou com defeito: confira ou troque o disco',
}

export function createDiskSpace({ dirs, lowBytes, minimumBytes, ballast, log, everyMs }: DiskSpaceDeps): DiskSpace {
  /** Last failed write while the kernel reports free space: quota, no free inode, read-only or defective disk. */
  let failure: DiskWarning | null = null
  let current: DiskWarning | null = null
  let timer: NodeJS.Timeout | undefined

  const minimumOf = (total: number) =>
    Math.min(minimumBytes, Math.max(total * MINIMUM_SHARE, MINIMUM_LEAST_BYTES), total * MINIMUM_MOST_SHARE)

  function warningOf(dir: string): DiskWarning | null {
    const space = spaceOf(dir)
    if (space === null) return null
    if (space.freeInodes === 0 || space.free < minimumOf(space.total)) return 'disco_cheio'
    return space.free < Math.min(lowBytes, space.total * LOW_SHARE) ? 'disco_baixo' : null
  }

  function check(): DiskWarning | null {
    const seen = dirs.map(warningOf)
    const next = seen.includes('disco_cheio') ? 'disco_cheio' : (failure ?? (seen.find((one) => one !== null) || null))
    if (next === current) return next
    current = next
    if (next === null) log.info({ pastas: dirs }, 'há espaço em disco outra vez')
    else
      log.error({ aviso: next, pastas: dirs.map((dir) => ({ dir, livre: spaceOf(dir)?.free ?? null })) }, advice[next])
    return next
  }

  /** Clears the failure when a trial file can be written. */
  function tryAgain(): void {
    const trial = join(dirs[0], `.teste-${process.pid}`)
    try {
      writeFileSync(trial, Buffer.alloc(TRIAL_BYTES, 1), { mode: 0o600 })
      failure = null
    } catch (error) {
      record(error)
    } finally {
      try {
        rmSync(trial, { force: true })
      } catch (error) {
        record(error)
      }
    }
  }

  function record(error: unknown): void {
    const kind = unwritableDisk(error)
    if (kind === null) return
    // Logged once, because all writes fail until the disk recovers.
    if (failure === null) log.error({ err: error }, 'a write failed: the disk cannot be written')
    failure = kind === 'cheio' ? 'disco_cheio' : 'disco_somente_leitura'
  }

  function holdBallast(): void {
    try {
      ballast.hold(spaceOf(dirs[0])?.free ?? null)
    } catch (err) {
      record(err)
      log.warn({ err }, 'ballast file not written')
    }
  }

  function work(): void {
    if (failure !== null) tryAgain()
    if (check() === null) holdBallast()
  }

  return {
    start() {
      work()
      timer = setInterval(work, everyMs ?? EVERY_MS)
      timer.unref()
    },
    stop: () => clearInterval(timer),
    warning: check,
    hasSpace: () => check() !== 'disco_cheio',
    measure: () => spaceOf(dirs.at(-1) ?? dirs[0]),
    leastFreeBytes() {
      const free = dirs.flatMap((dir) => spaceOf(dir)?.free ?? [])
      return free.length === 0 ? null : Math.min(...free)
    },
    failed: record,
    async tolerate(write) {
      try {
        await write()
      } catch (error) {
        if (unwritableDisk(error) === null) throw error
        record(error)
      }
    },
  }
}

/** null: the folder does not exist, or the file system does not report it. */
function spaceOf(
  dir: string,
): { readonly free: number; readonly total: number; readonly freeInodes: number | null } | null {
  try {
    const { bavail, blocks, bsize, files, ffree } = statfsSync(dir)
    return { free: bavail * bsize, total: blocks * bsize, freeInodes: files > 0 ? ffree : null }
  } catch {
    return null
  }
}
