import { type ProbeOptions, withContact } from './contact.ts'
import { readDeviceTime, readDeviceZone } from './onvif-answers.ts'
import { DEVICE_PATH, GET_TIME, soapOf } from './onvif-device.ts'
import { rightTime } from './soap.ts'

export interface DeviceClock {
  /** Clock of the device minus `now`, in ms. Devices report whole seconds. */
  readonly offsetMs: number
  /** Minutes east of UTC; null: not reported. */
  readonly zoneMin: number | null
}

/** Usual ports of the ONVIF service. */
export const ONVIF_PORTS = [80, 8000, 8899, 2020]

/**
 * Reads the clock of a device by ONVIF GetSystemDateAndTime, which needs no login (ONVIF Core 5.9.5). Tries the ports
 * in order. null: no port answered in time.
 */
export async function readDeviceClock(
  host: string,
  options: ProbeOptions & {
    readonly ports?: readonly number[]
    /** In epoch ms; default: the clock of this machine. */
    now?(): number
  },
): Promise<DeviceClock | null> {
  const now = options.now ?? Date.now
  const read = await withContact(host, options, async (contact) => {
    for (const porta of options.ports ?? ONVIF_PORTS) {
      const begun = now()
      const device = soapOf(contact, { porta, credentials: null }, () => rightTime)
      const answer = await device.callOpenly(DEVICE_PATH, GET_TIME)
      const time = answer.kind === 'answer' ? readDeviceTime(answer.element) : null
      if (answer.kind !== 'answer' || time === null) continue
      const offsetMs = time - (begun + now()) / 2
      return { ok: true as const, clock: { offsetMs: Math.round(offsetMs), zoneMin: readDeviceZone(answer.element) } }
    }
    return { ok: true as const, clock: null }
  })
  return read.ok ? read.clock : null
}
