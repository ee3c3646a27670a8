import type { FluxoOnvif } from '@vigia/contracts/canais-sondados'
import { type Preset, presetSchema } from '@vigia/contracts/ptz'
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
  readonly hasPtz: boolean
}

/** Longest token of a profile (`tt:ReferenceToken`) and path of a service, in characters. */
const [MAX_TOKEN, MAX_PATH] = [128, 512]

/** UTC by the device's clock, in epoch ms; null: missing or invalid. */
export const readDeviceTime = (element: XmlElement): number | null => readDateTime(element, 'UTCDateTime')

/** Zone of the device, in minutes east of UTC; null: it did not report both times. */
export function readDeviceZone(element: XmlElement): number | null {
  const [utc, local] = [readDeviceTime(element), readDateTime(element, 'LocalDateTime')]
  return utc === null || local === null ? null : Math.round((local - utc) / 60_000)
}

/** Wall time `name`, read as UTC, in epoch ms. */
function readDateTime(element: XmlElement, name: 'UTCDateTime' | 'LocalDateTime'): number | null {
  const found = childAt(element, 'SystemDateAndTime', name)
  if (!found) return null
  const part = (group: string, field: string) => Number(childAt(found, group, field)?.text.trim() || Number.NaN)
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

/** Path of a service; its host is ignored. Null: no such service. */
export function readServicePath(element: XmlElement, service: 'Media' | 'PTZ'): string | null {
  return pathOf(childAt(element, 'Capabilities', service, 'XAddr'))
}

function pathOf(address: XmlElement | undefined): string | null {
  const url = URL.parse(address?.text.trim() ?? '')
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return null
  const path = url.pathname + url.search
  return path.length <= MAX_PATH ? path : null
}

/** Namespaces of services, by the name of their path. */
export type ServiceNames = Readonly<Record<'Media' | 'Media2' | 'PTZ', string>>

/** Paths of the services that a device lists (GetServices); their hosts are ignored. */
export function readServices(
  element: XmlElement,
  names: ServiceNames,
): { readonly [Name in keyof ServiceNames]?: string } {
  const paths = new Map(
    element.children.map((service) => [
      childAt(service, 'Namespace')?.text.trim() ?? '',
      pathOf(childAt(service, 'XAddr')),
    ]),
  )
  const found = Object.entries(names).flatMap(([name, namespace]) => {
    const path = paths.get(namespace)
    return path ? [[name, path]] : []
  })
  return Object.fromEntries(found)
}

/** The profiles of Media 1 and of Media 2, whose configurations have one more level and shorter names. */
export function readProfiles(element: XmlElement): MediaProfile[] {
  return element.children.flatMap((profile) => {
    const token = profile.attributes.get('token') ?? ''
    const configuration = (first: string, second: string) =>
      childAt(profile, first) ?? childAt(profile, 'Configurations', second)
    const source = configuration('VideoSourceConfiguration', 'VideoSource')
    const sourceToken = (source && childAt(source, 'SourceToken'))?.text.trim() ?? ''
    if (profile.name !== 'Profiles' || token === '' || token.length > MAX_TOKEN || sourceToken === '') return []
    const encoder = configuration('VideoEncoderConfiguration', 'VideoEncoder')
    const side = (name: string) => Number((encoder && childAt(encoder, 'Resolution', name))?.text) || 0
    const encoding = (encoder && childAt(encoder, 'Encoding'))?.text.trim().toUpperCase() ?? ''
    const hasPtz = configuration('PTZConfiguration', 'PTZ') !== undefined
    return [{ token, source: sourceToken, encoding, hasPtz, pixels: side('Width') * side('Height') }]
  })
}

/** Null: no usable address. */
export const readStreamUri = (element: XmlElement): FluxoOnvif | null =>
  fluxoOf((childAt(element, 'MediaUri', 'Uri') ?? childAt(element, 'Uri'))?.text ?? '')

/** The presets with a token, in the order of the device. */
export const readPresets = (element: XmlElement): Preset[] =>
  element.children.flatMap((preset) => {
    const token = preset.attributes.get('token') ?? ''
    const nome = childAt(preset, 'Name')?.text.trim() ?? ''
    const read = presetSchema.safeParse({ preset: token, nome: (nome || token).slice(0, 64) })
    return preset.name === 'Preset' && read.success ? [read.data] : []
  })

/** Whether a PTZ device reports that it moves; null: it does not say. */
export function readIsMoving(element: XmlElement): boolean | null {
  const states = ['PanTilt', 'Zoom'].map((axis) => childAt(element, 'PTZStatus', 'MoveStatus', axis)?.text.trim())
  if (states.includes('MOVING')) return true
  return states.includes('IDLE') ? false : null
}
