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
}

/** Path of the media service; the standard fixes the path of the device service. */
export const MEDIA_PATH = '/onvif/media_service'

/** Calls that need no login (ONVIF Core 5.9.4, access class PRE_AUTH). */
export const openCalls: ReadonlySet<string> = new Set(['GetSystemDateAndTime', 'GetCapabilities'])

/** One profile for each stream, and a small JPEG profile, which many devices have. */
function profiles({ channels, hasPtz }: Device): string {
  return channels
    .flatMap(({ principal, sub }, index) => {
      const videos = [
        ['principal', principal],
        ['sub', sub === principal ? null : sub],
      ] as const
      const found = videos.flatMap(([stream, video]) =>
        video
          ? [profile(`${index + 1}_${stream}`, index + 1, video.codec.toUpperCase(), video.width, video.height, hasPtz)]
          : [],
      )
      return found.length === 0
        ? []
        : [...found.toReversed(), profile(`${index + 1}_foto`, index + 1, 'JPEG', 160, 120)]
    })
    .join('')
}

const profile = (
  token: string,
  canal: number,
  encoding: string,
  width: number,
  height: number,
  hasPtz = false,
): string =>
  `<trt:Profiles token="${token}" fixed="true"><tt:Name>${token}</tt:Name>` +
  `<tt:VideoSourceConfiguration token="v${canal}"><tt:SourceToken>fonte_${canal}</tt:SourceToken></tt:VideoSourceConfiguration>` +
  `<tt:VideoEncoderConfiguration token="e${token}"><tt:Encoding>${encoding}</tt:Encoding><tt:Resolution>` +
  `<tt:Width>${width}</tt:Width><tt:Height>${height}</tt:Height></tt:Resolution></tt:VideoEncoderConfiguration>` +
  `${hasPtz ? `<tt:PTZConfiguration token="p${canal}"/>` : ''}</trt:Profiles>`

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
  service('Media', device, MEDIA_PATH) + (device.hasPtz ? service('PTZ', device, PTZ_PATH) : '')

/** Returns the body of the answer to a call; null: unknown call. `token`: the requested profile. */
export function answerTo(name: string, token: string, device: Device): string | null {
  switch (name) {
    case 'GetSystemDateAndTime':
      return `<tds:${name}Response>${dateAndTime(device.now())}</tds:${name}Response>`
    case 'GetCapabilities':
      return `<tds:${name}Response><tds:Capabilities>${services(device)}</tds:Capabilities></tds:${name}Response>`
    case 'GetProfiles':
      return `<trt:${name}Response>${profiles(device)}</trt:${name}Response>`
    case 'GetStreamUri': {
      const [, canal, stream] = /^(\d+)_(principal|sub)$/.exec(token) ?? []
      if (canal === undefined) return null
      const path = `/cam/realmonitor?channel=${canal}&subtype=${stream === 'sub' ? 1 : 0}&unicast=true&proto=Onvif`
      const uri = `<tt:Uri>${escapeXml(`rtsp://${device.rtsp}${path}`)}</tt:Uri>`
      return `<trt:${name}Response><trt:MediaUri>${uri}<tt:Timeout>PT0S</tt:Timeout></trt:MediaUri></trt:${name}Response>`
    }
    default:
      return null
  }
}

/** SOAP 1.2 fault; `subcode` as `ter:NotAuthorized`. */
export const fault = (subcode: string): string =>
  `<s:Fault><s:Code><s:Value>s:Sender</s:Value><s:Subcode><s:Value>${subcode}</s:Value></s:Subcode></s:Code>` +
  `<s:Reason><s:Text xml:lang="en">${subcode}</s:Text></s:Reason></s:Fault>`

const namespaces = [
  'xmlns:s="http://www.w3.org/2003/05/soap-envelope"',
  'xmlns:tt="http://www.onvif.org/ver10/schema"',
  'xmlns:tds="http://www.onvif.org/ver10/device/wsdl"',
  'xmlns:trt="http://www.onvif.org/ver10/media/wsdl"',
  'xmlns:tptz="http://www.onvif.org/ver20/ptz/wsdl"',
  'xmlns:ter="http://www.onvif.org/ver10/error"',
].join(' ')

export const envelope = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<s:Envelope ${namespaces}><s:Body>${body}</s:Body></s:Envelope>`
