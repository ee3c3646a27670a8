import { statfsSync } from 'node:fs'
import { access, readdir, readFile, statfs } from 'node:fs/promises'
import { cpus, freemem, totalmem } from 'node:os'
import { join } from 'node:path'

export interface Machine {
  /** Size of the disk of `dir`, in bytes; null: unknown. */
  disk(): Promise<{ total: number; livre: number } | null>
  /** Busy share of all cores since the last call, 0–1; null at the first call. */
  cpu(): number | null
  /** Last result of `cpu`. */
  readonly lastCpu: number | null
  /** Bytes of memory; `livre`: available to programs without swapping. */
  memory(): Promise<{ total: number; livre: number }>
  /** Hottest sensor, °C; null: no sensor. */
  temperature(): Promise<number | null>
  /** Whether a time server has set the clock since the machine started. */
  clockSynchronised(): Promise<boolean>
}

const THERMAL = '/sys/class/thermal'
/**
 * systemd-timesyncd creates this file when it has set the clock; without that service the state is unknown and reported
 * as false.
 */
const SYNCHRONISED = '/run/systemd/timesync/synchronized'

export function createMachine(dir: string): Machine {
  let before: { busy: number; total: number } | null = null
  let lastCpu: number | null = null
  return {
    async disk() {
      const stats = await statfs(dir).catch(() => null)
      return stats && { total: stats.blocks * stats.bsize, livre: stats.bavail * stats.bsize }
    },
    cpu() {
      const now = cpuTimes()
      const last = before
      before = now
      const known = last !== null && now.total > last.total
      lastCpu = known ? Math.min(1, Math.max(0, (now.busy - last.busy) / (now.total - last.total))) : null
      return lastCpu
    },
    get lastCpu() {
      return lastCpu
    },
    async memory() {
      const text = await readFile('/proc/meminfo', 'utf8').catch(() => '')
      // The kernel's free memory excludes the file cache, which it releases at once.
      const available = /^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1]
      return { total: totalmem(), livre: available === undefined ? freemem() : Number(available) * 1024 }
    },
    async temperature() {
      const zones = await readdir(THERMAL).catch(() => [])
      const readings = await Promise.all(
        zones
          .filter((name) => name.startsWith('thermal_zone'))
          .map((name) => milliDegrees(join(THERMAL, name, 'temp'))),
      )
      const valid = readings.filter((value) => Number.isFinite(value))
      return valid.length > 0 ? Math.max(...valid) / 1000 : null
    },
    clockSynchronised: () =>
      access(SYNCHRONISED).then(
        () => true,
        () => false,
      ),
  }
}

/** Free space on the disk of `dir` that programs may use, as the kernel reports it; null: unknown. */
export function freeBytes(dir: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(dir)
    return bavail * bsize
  } catch {
    // The folder is missing, or its file system does not support the call; then only the limit in bytes applies.
    return null
  }
}

/** NaN for a sensor without a value; sensors come and go with their drivers. */
const milliDegrees = (file: string): Promise<number> =>
  readFile(file, 'utf8').then(
    (text) => Number.parseInt(text, 10),
    () => Number.NaN,
  )

function cpuTimes(): { busy: number; total: number } {
  let idle = 0
  let total = 0
  for (const { times } of cpus()) {
    idle += times.idle
    total += times.user + times.nice + times.sys + times.irq + times.idle
  }
  return { busy: total - idle, total }
}
