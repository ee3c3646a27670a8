import type { Contact, Failed } from './contact.ts'
import type { Credentials } from './digest.ts'
import { type MediaProfile, readDeviceTime, readProfiles, readServicePath } from './onvif-answers.ts'
import { createSoapClient, type SoapAnswer, type SoapClient } from './soap.ts'

/** The only path fixed by the standard (ONVIF Core 5.1.1); the device reports all others. */
export const DEVICE_PATH = '/onvif/device_service'
const DEVICE_NS = 'http://www.onvif.org/ver10/device/wsdl'
export const MEDIA_NS = 'http://www.onvif.org/ver10/media/wsdl'
export const SCHEMA_NS = 'http://www.onvif.org/ver10/schema'

export const GET_TIME = `<GetSystemDateAndTime xmlns="${DEVICE_NS}"/>`
const GET_PROFILES = `<GetProfiles xmlns="${MEDIA_NS}"/>`
/** Asks for the path of a service. */
export const getCapabilities = (category: 'Media' | 'PTZ'): string =>
  `<GetCapabilities xmlns="${DEVICE_NS}"><Category>${category}</Category></GetCapabilities>`

/** Longest wait for one answer: some devices need seconds to list their profiles. */
const MAX_WAIT_MS = 6000

interface DeviceLogin {
  readonly porta: number
  /** Null: no login. */
  readonly credentials: Credentials | null
}

/** SOAP client of a device whose clock is known. */
export function soapOf(contact: Contact, { porta, credentials }: DeviceLogin, offsetMs: () => number): SoapClient {
  return createSoapClient({
    contact,
    porta,
    credentials,
    deviceNow: () => Date.now() + offsetMs(),
    timeoutMs: Math.min(MAX_WAIT_MS, contact.prazoMs / 4),
  })
}

/** Asks the device for its time, by which it judges logins. `offsetMs`: its clock minus that of this machine. */
export async function openDevice(
  contact: Contact,
  login: DeviceLogin,
): Promise<{ readonly ok: true; readonly soap: SoapClient; readonly offsetMs: number } | Failed> {
  let offsetMs = 0
  const soap = soapOf(contact, login, () => offsetMs)
  // Without a login: its signature would need the requested time.
  const time = await soap.callOpenly(DEVICE_PATH, GET_TIME)
  if (time.kind === 'answer') offsetMs = (readDeviceTime(time.element) ?? Date.now()) - Date.now()
  else if (time.kind !== 'fault' && time.kind !== 'denied') return failed(time)
  return { ok: true, soap, offsetMs }
}

interface Found {
  readonly ok: true
  readonly mediaPath: string
  /** Profiles of each video source, in the order of their first profiles. */
  readonly sources: readonly (readonly MediaProfile[])[]
}

/** Sequential calls: the first challenge decides whether the password is right. */
export async function mediaProfiles(soap: SoapClient): Promise<Found | Failed> {
  const capabilities = await soap.call(DEVICE_PATH, getCapabilities('Media'))
  if (capabilities.kind !== 'answer') return failed(capabilities)
  const mediaPath = readServicePath(capabilities.element, 'Media')
  if (mediaPath === null) return { ok: false, falha: 'sem_onvif' }
  const profiles = await soap.call(mediaPath, GET_PROFILES)
  if (profiles.kind !== 'answer') return failed(profiles)
  const sources = new Map<string, MediaProfile[]>()
  for (const profile of readProfiles(profiles.element)) {
    sources.set(profile.source, [...(sources.get(profile.source) ?? []), profile])
  }
  return { ok: true, mediaPath, sources: [...sources.values()] }
}

export function failed(answer: Exclude<SoapAnswer, { readonly kind: 'answer' }>): Failed {
  if (answer.kind === 'denied') return { ok: false, falha: 'senha_recusada' }
  if (answer.kind === 'fault' || answer.kind === 'foreign') return { ok: false, falha: 'sem_onvif' }
  return { ok: false, falha: answer.kind === 'aborted' ? 'prazo_esgotado' : 'inalcancavel' }
}
