import { access, readdir, readFile, statfs } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'

export interface Machine {
  /** Bytes of the disk that holds `dir`; null: can not be told. */
  disk(): Promise<{ total: number; livre: number } | null>
  /** Share of all cores that was busy since the last call, 0–1; null at the first. */
  cpu(): number | null
  /** Hottest sensor, °C; null: there is none. */
  temperature(): Promise<number | null>
  /** Whether a time server has set the clock since the box started. */
  clockSynchronised(): Promise<boolean>
}

const THERMAL = '/sys/class/thermal'
/** systemd-timesyncd makes this file when it has set the clock; without that service the answer is "not known to be". */
const SYNCHRONISED = '/run/systemd/timesync/synchronized'

export function createMachine(dir: string): Machine {
  let before: { busy: number; total: number } | null = null
  return {
    async disk() {
      const stats = await statfs(dir).catch(() => null)
      return stats && { total: stats.blocks * stats.bsize, livre: stats.bavail * stats.bsize }
    },
    cpu() {
      const now = cpuTimes()
      const last = before
      before = now
      if (!last || now.total <= last.total) return null
      return Math.min(1, Math.max(0, (now.busy - last.busy) / (now.total - last.total)))
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

/** NaN for a sensor that does not answer; they come and go with the drivers. */
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
