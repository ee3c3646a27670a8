import { unreachableEnd } from './client/outcome.ts'
import type { Contact, Failed } from './contact.ts'
import type { Credentials } from './digest.ts'
import { readDeviceTime, readDeviceZone } from './onvif-answers.ts'
import { createSoapClient, type LoginTimes, rightTime, type SoapAnswer, type SoapClient } from './soap.ts'
import type { XmlElement } from './xml.ts'

/** The only path fixed by the standard (ONVIF Core 5.1.1); the device reports all others. */
export const DEVICE_PATH = '/onvif/device_service'
export const DEVICE_NS = 'http://www.onvif.org/ver10/device/wsdl'
export const MEDIA_NS = 'http://www.onvif.org/ver10/media/wsdl'
export const PTZ_NS = 'http://www.onvif.org/ver20/ptz/wsdl'
export const SCHEMA_NS = 'http://www.onvif.org/ver10/schema'

export const GET_TIME = `<GetSystemDateAndTime xmlns="${DEVICE_NS}"/>`
/** Asks for the path of a service. */
export const getCapabilities = (category: 'Media' | 'PTZ'): string =>
  `<GetCapabilities xmlns="${DEVICE_NS}"><Category>${category}</Category></GetCapabilities>`

/** Longest wait for one answer: some devices need seconds to list their profiles. */
const MAX_WAIT_MS = 6000

interface DeviceLogin {
  readonly porta: number
  /** Null: no login. */
  readonly credentials: Credentials | null
  /** The device accepts only the password itself. */
  readonly isPlain?: boolean
}

/** SOAP client of a device whose clock is known. */
export function soapOf(
  contact: Contact,
  { porta, credentials, isPlain = false }: DeviceLogin,
  times: () => LoginTimes,
): SoapClient {
  return createSoapClient({
    contact,
    porta,
    credentials,
    times,
    isPlain,
    timeoutMs: Math.min(MAX_WAIT_MS, contact.prazoMs / 4),
  })
}

/** Devices accept a login whose time differs by some minutes. */
const TOLERANCE_MS = 120_000
const [HALF_HOUR_MS, MAX_ZONE_MS] = [30 * 60_000, 14 * 3_600_000]

/** A difference of two clocks that a time zone explains. */
function isZone(ms: number): boolean {
  const rest = Math.abs(ms) % HALF_HOUR_MS
  return Math.abs(ms) <= MAX_ZONE_MS + TOLERANCE_MS && Math.min(rest, HALF_HOUR_MS - rest) <= TOLERANCE_MS
}

/**
 * The times by which a device may judge logins. It reports one. If a time zone explains the difference to the right
 * time, it may report local time as UTC, and use the right time. If it names the time as the reason of a refusal, it
 * may also use its report as local time.
 */
function possibleTimes(reported: XmlElement, now: number): LoginTimes {
  const utc = readDeviceTime(reported)
  if (utc === null) return rightTime
  const offsetMs = utc - now
  const zoneMs = (readDeviceZone(reported) ?? -new Date(now).getTimezoneOffset()) * 60_000
  const others = [0, offsetMs + zoneMs, offsetMs - zoneMs].filter((ms) => Math.abs(ms - offsetMs) >= TOLERANCE_MS)
  const isMixedUp = isZone(offsetMs) && Math.abs(offsetMs) >= TOLERANCE_MS
  return { usualMs: isMixedUp ? [offsetMs, 0] : [offsetMs], afterHintMs: [offsetMs, ...new Set(others)] }
}

/** Asks the device for its time, by which it judges logins. */
export async function openDevice(
  contact: Contact,
  login: DeviceLogin,
): Promise<{ readonly ok: true; readonly soap: SoapClient } | Failed> {
  let times = rightTime
  const soap = soapOf(contact, login, () => times)
  // Without a login: its signature would need the requested time.
  const time = await soap.callOpenly(DEVICE_PATH, GET_TIME)
  if (time.kind === 'answer') times = possibleTimes(time.element, Date.now())
  else if (time.kind !== 'fault' && time.kind !== 'denied') return atCall(soap, failed(time))
  return { ok: true, soap }
}

/** The failure with the last call of the client. */
export const atCall = ({ last }: SoapClient, failure: Failed): Failed =>
  last === null ? failure : { ...failure, onvif: last }

export function failed(answer: Exclude<SoapAnswer, { readonly kind: 'answer' }>): Failed {
  if (answer.kind === 'denied') return { ok: false, falha: 'senha_recusada' }
  if (answer.kind === 'fault' || answer.kind === 'foreign') return { ok: false, falha: 'sem_onvif' }
  if (answer.kind === 'aborted') return { ok: false, falha: 'prazo_esgotado' }
  const why = answer.kind === 'unreachable' ? answer.why : undefined
  const motivo = answer.kind === 'silent' ? 'sem_resposta' : why && unreachableEnd(why).failure
  return { ok: false, falha: 'inalcancavel', ...(motivo && { causa: { motivo, complemento: null } }) }
}
