import { escapeXml } from '@vigia/rtsp/xml'
import type { Channel } from '../rtsp/channels.ts'
import { PTZ_PATH } from './ptz.ts'

export interface Device {
  readonly channels: readonly Channel[]
  /** The device's own address, as `host:port`. */
  readonly http: string
  readonly rtsp: string
  /** Time of the device's clock, in epoch ms. */
  readonly now: () => number
  readonly hasPtz: boolean
  readonly media: MediaForm
  /** Whether it sends a keyframe on request. */
  readonly hasSync: boolean
}

/** Media service: version 1, version 1 with profiles that name no encoder, or only version 2. */
export const mediaForms = ['1', 'sem-encoder', '2'] as const
export type MediaForm = (typeof mediaForms)[number]

/** Path of the media service; the standard fixes the path of the device service. */
export const MEDIA_PATH = '/onvif/media_service'

/** Calls that need no login (ONVIF Core 5.9.4, access class PRE_AUTH). */
export const openCalls: ReadonlySet<string> = new Set(['GetSystemDateAndTime', 'GetCapabilities', 'GetServices'])

const streamToken = /^(\d+)_(principal|sub)$/

/** One profile for each stream, and a small JPEG profile, which many devices have. */
function profiles({ channels, hasPtz, media }: Device): string {
  return channels
    .flatMap(({ principal, sub }, index) => {
      const videos = [
        ['principal', principal],
        ['sub', sub === principal ? null : sub],
      ] as const
      const found = videos.flatMap(([stream, video]) =>
        video ? [profile(media, { ...video, token: `${index + 1}_${stream}`, canal: index + 1, hasPtz })] : [],
      )
      return found.length === 0
        ? []
        : [...found.toReversed(), ...(media === '1' ? [profile(media, photo(index + 1))] : [])]
    })
    .join('')
}

interface Profile {
  readonly token: string
  readonly canal: number
  readonly codec: string
  readonly width: number
  readonly height: number
  readonly hasPtz: boolean
}

const photo = (canal: number): Profile => ({
  token: `${canal}_foto`,
  canal,
  codec: 'jpeg',
  width: 160,
  height: 120,
  hasPtz: false,
})

function profile(media: MediaForm, { token, canal, codec, width, height, hasPtz }: Profile): string {
  const source = `<tt:SourceToken>fonte_${canal}</tt:SourceToken>`
  const encoder =
    `<tt:Encoding>${codec.toUpperCase()}</tt:Encoding><tt:Resolution>` +
    `<tt:Width>${width}</tt:Width><tt:Height>${height}</tt:Height></tt:Resolution>`
  if (media === '2')
    return (
      `<tr2:Profiles token="${token}" fixed="true"><tr2:Name>${token}</tr2:Name><tr2:Configurations>` +
      `<tr2:VideoSource token="v${canal}">${source}</tr2:VideoSource>` +
      `<tr2:VideoEncoder token="e${token}">${encoder}</tr2:VideoEncoder>` +
      `${hasPtz ? `<tr2:PTZ token="p${canal}"/>` : ''}</tr2:Configurations></tr2:Profiles>`
    )
  const configuration = `<tt:VideoEncoderConfiguration token="e${token}">${encoder}</tt:VideoEncoderConfiguration>`
  return (
    `<trt:Profiles token="${token}" fixed="true"><tt:Name>${token}</tt:Name>` +
    `<tt:VideoSourceConfiguration token="v${canal}">${source}</tt:VideoSourceConfiguration>` +
    (media === 'sem-encoder' ? '' : configuration) +
    `${hasPtz ? `<tt:PTZConfiguration token="p${canal}"/>` : ''}</trt:Profiles>`
  )
}

function dateAndTime(now: number): string {
  const date = new Date(now)
  const part = (name: string, value: number) => `<tt:${name}>${value}</tt:${name}>`
  const time =
    part('Hour', date.getUTCHours()) + part('Minute', date.getUTCMinutes()) + part('Second', date.getUTCSeconds())
  const day =
    part('Year', date.getUTCFullYear()) + part('Month', date.getUTCMonth() + 1) + part('Day', date.getUTCDate())
  return (
    '<tds:SystemDateAndTime><tt:DateTimeType>Manual</tt:DateTimeType><tt:DaylightSavings>false</tt:DaylightSavings>' +
    `<tt:UTCDateTime><tt:Time>${time}</tt:Time><tt:Date>${day}</tt:Date></tt:UTCDateTime></tds:SystemDateAndTime>`
  )
}

const service = (name: string, { http }: Device, path: string): string =>
  `<tt:${name}><tt:XAddr>http://${http}${path}</tt:XAddr></tt:${name}>`

const services = (device: Device): string =>
  device.media === '2'
    ? ''
    : service('Media', device, MEDIA_PATH) + (device.hasPtz ? service('PTZ', device, PTZ_PATH) : '')

const listed = (namespace: string, { http }: Device, path: string): string =>
  `<tds:Service><tds:Namespace>http://www.onvif.org/${namespace}/wsdl</tds:Namespace>` +
  `<tds:XAddr>http://${http}${path}</tds:XAddr></tds:Service>`

/** Returns the body of the answer to a call; null: unknown call. `token`: the requested profile. */
export function answerTo(name: string, token: string, device: Device): string | null {
  const of = device.media === '2' ? 'tr2' : 'trt'
  switch (name) {
    case 'GetSystemDateAndTime':
      return `<tds:${name}Response>${dateAndTime(device.now())}</tds:${name}Response>`
    case 'GetCapabilities':
      return `<tds:${name}Response><tds:Capabilities>${services(device)}</tds:Capabilities></tds:${name}Response>`
    case 'GetServices':
      // A device of version 1 alone may not know this call.
      return device.media === '2'
        ? `<tds:${name}Response>${listed('ver20/media', device, MEDIA_PATH)}` +
            `${device.hasPtz ? listed('ver20/ptz', device, PTZ_PATH) : ''}</tds:${name}Response>`
        : null
    case 'GetProfiles':
      return `<${of}:${name}Response>${profiles(device)}</${of}:${name}Response>`
    case 'GetStreamUri': {
      const [, canal, stream] = streamToken.exec(token) ?? []
      if (canal === undefined) return null
      const path = `/cam/realmonitor?channel=${canal}&subtype=${stream === 'sub' ? 1 : 0}&unicast=true&proto=Onvif`
      const uri = `<tt:Uri>${escapeXml(`rtsp://${device.rtsp}${path}`)}</tt:Uri>`
      if (device.media === '2')
        return `<tr2:${name}Response>${uri.replaceAll('tt:Uri', 'tr2:Uri')}</tr2:${name}Response>`
      return `<trt:${name}Response><trt:MediaUri>${uri}<tt:Timeout>PT0S</tt:Timeout></trt:MediaUri></trt:${name}Response>`
    }
    case 'SetSynchronizationPoint': {
      const calls = device.hasSync ? callsOf(token, device) : null
      calls?.call()
      return calls && `<${of}:${name}Response/>`
    }
    default:
      return null
  }
}

/** The live stream of a profile; null: no such profile. */
function callsOf(token: string, { channels }: Device) {
  const [, canal, stream] = streamToken.exec(token) ?? []
  return channels[Number(canal) - 1]?.keyframes[stream === 'sub' ? 'sub' : 'principal'] ?? null
}

/** SOAP 1.2 fault; `subcode` as `ter:NotAuthorized`. */
export const fault = (subcode: string, reason = subcode): string =>
  `<s:Fault><s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value>${subcode}</s:Value></s:Subcode></s:Code>` +
  `<s:Reason><s:Text xml:lang="en">${reason}</s:Text></s:Reason></s:Fault>`

const namespaces = [
  'xmlns:s="http://www.w3.org/2003/05/soap-envelope"',
  'xmlns:tt="http://www.onvif.org/ver10/schema"',
  'xmlns:tds="http://www.onvif.org/ver10/device/wsdl"',
  'xmlns:trt="http://www.onvif.org/ver10/media/wsdl"',
  'xmlns:tr2="http://www.onvif.org/ver20/media/wsdl"',
  'xmlns:tptz="http://www.onvif.org/ver20/ptz/wsdl"',
  'xmlns:ter="http://www.onvif.org/ver10/error"',
].join(' ')

export const envelope = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<s:Envelope ${namespaces}><s:Body>${body}</s:Body></s:Envelope>`
