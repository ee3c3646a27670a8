import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** One start of the machine, with a clock that no setting of the time changes. */
export interface Boot {
  readonly id: string
  /** Ms since this start. */
  monotonic(): number
  /** Whether the kernel has set its clock from a battery clock (RTC). */
  readonly hasBatteryClock: boolean
}

const BOOT_ID = '/proc/sys/kernel/random/boot_id'
/** 1: the kernel has set its clock from this one at the start. A Raspberry Pi has no such file. */
const SET_FROM_BATTERY = '/sys/class/rtc/rtc0/hctosys'

/** Outside Linux each start of this process counts as a start of the machine: nothing names the latter. */
export function readBoot(): Boot {
  const id = readText(BOOT_ID)
  if (id === null) return { id: randomUUID(), monotonic: () => performance.now(), hasBatteryClock: true }
  // Node reads CLOCK_MONOTONIC, which all processes of the machine share.
  const monotonic = () => Number(process.hrtime.bigint()) / 1e6
  return { id, monotonic, hasBatteryClock: readText(SET_FROM_BATTERY) === '1' }
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return null
  }
}
