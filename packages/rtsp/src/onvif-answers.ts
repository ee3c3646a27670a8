import type { FluxoOnvif } from '@vigia/contracts/pedidos'
import { fluxoOf } from './onvif-url.ts'
import { childAt, type XmlElement } from './xml.ts'

/** A stream of a video source. */
export interface MediaProfile {
  readonly token: string
  /** Token of the video source. */
  readonly source: string
  /** `H264`, `JPEG`, …; '' when the profile has none. */
  readonly encoding: string
  readonly pixels: number
}

/** Longest token of a profile (`tt:ReferenceToken`) and path of a service, in characters. */
const [MAX_TOKEN, MAX_PATH] = [128, 512]

/** UTC by the device's clock, in epoch ms; null: missing or invalid. */
export function readDeviceTime(element: XmlElement): number | null {
  const utc = childAt(element, 'SystemDateAndTime', 'UTCDateTime')
  if (!utc) return null
  const part = (group: string, name: string) => Number(childAt(utc, group, name)?.text.trim() || Number.NaN)
  const ms = Date.UTC(
    part('Date', 'Year'),
    part('Date', 'Month') - 1,
    part('Date', 'Day'),
    part('Time', 'Hour'),
    part('Time', 'Minute'),
    part('Time', 'Second'),
  )
  // WS-Security requires years of four digits.
  return ms >= 0 && ms < Date.UTC(10_000, 0) ? ms : null
}

/** Path of the media service; its host is ignored. Null: no such service. */
export function readMediaPath(element: XmlElement): string | null {
  const address = childAt(element, 'Capabilities', 'Media', 'XAddr')?.text.trim() ?? ''
  const url = URL.parse(address)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return null
  const path = url.pathname + url.search
  return path.length <= MAX_PATH ? path : null
}

export function readProfiles(element: XmlElement): MediaProfile[] {
  return element.children.flatMap((profile) => {
    const token = profile.attributes.get('token') ?? ''
    const source = childAt(profile, 'VideoSourceConfiguration', 'SourceToken')?.text.trim() ?? ''
    if (profile.name !== 'Profiles' || token === '' || token.length > MAX_TOKEN || source === '') return []
    const encoder = childAt(profile, 'VideoEncoderConfiguration')
    const side = (name: string) => Number((encoder && childAt(encoder, 'Resolution', name))?.text) || 0
    const encoding = (encoder && childAt(encoder, 'Encoding'))?.text.trim().toUpperCase() ?? ''
    return [{ token, source, encoding, pixels: side('Width') * side('Height') }]
  })
}

/** Null: no usable address. */
export const readStreamUri = (element: XmlElement): FluxoOnvif | null =>
  fluxoOf(childAt(element, 'MediaUri', 'Uri')?.text ?? '')
