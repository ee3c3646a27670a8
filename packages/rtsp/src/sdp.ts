import { pictureSize } from './sps.ts'

/** Names of RTP payload formats (RFC 6184, RFC 7798) as the product names the codecs. */
const codecNames: ReadonlyMap<string, string> = new Map([
  ['h264', 'h264'],
  ['h265', 'h265'],
  ['hevc', 'h265'],
])
/** Static payload types that cameras use without an rtpmap (RFC 3551, table 5). */
const staticTypes: Record<number, string> = {
  0: 'PCMU/8000',
  8: 'PCMA/8000',
  26: 'jpeg',
  31: 'h261',
  32: 'mpv',
  33: 'mp2t',
  34: 'h263',
}
const START_CODE = Buffer.from([0, 0, 1])
/** Longest part that is read; a description has a few hundred bytes. */
const MAX_SDP = 65_536

export interface SdpVideo {
  /** `h264`, `h265`, or the format's name in lower case (`jpeg`, `mp4v-es`, …). */
  readonly codec: string
  /** The format's name as the SDP writes it. */
  readonly encodingName: string
  readonly payloadType: number
  /** Hz; 90000 for all video formats in use. */
  readonly clockRate: number
  /** NAL units without start codes: H.264 SPS, PPS; H.265 VPS, SPS, PPS. Empty when only the stream carries them. */
  readonly parameterSets: readonly Buffer[]
  /** `1920x1080`, from the parameter sets, else from `a=framesize` or `a=x-dimensions`; null when all are missing. */
  readonly resolucao: string | null
  /** How a receiver may ask for a keyframe (RFC 4585 4.2, RFC 5104 7.1); absent: not offered. */
  readonly keyframeRequest?: 'pli' | 'fir'
  /** The track's control URL as written (absolute, or relative to the content base). */
  readonly control: string | null
}

export interface SdpAudio {
  /** The format's name in lower case (`pcma`, `mpeg4-generic`, …). */
  readonly encoding: string
  readonly payloadType: number
  /** Hz; null: not stated. */
  readonly clockRate: number | null
  readonly channels: number
  /** Parameters of the format, names in lower case. */
  readonly fmtp: ReadonlyMap<string, string>
  readonly control: string | null
}

export interface Sdp {
  readonly video: SdpVideo | null
  readonly audio: SdpAudio | null
}

/** Reads the first video and the first audio stream of an SDP answer. Never throws: unreadable fields are absent. */
export function parseSdp(text: string): Sdp {
  const lines = text.slice(0, MAX_SDP).split(/\r\n|\n|\r/)
  const [video, audio] = [readTrack(lines, 'video'), readTrack(lines, 'audio')]
  return { video: video && videoOf(video), audio: audio && audioOf(audio) }
}

interface Track {
  /** The lines below `m=`. */
  readonly media: readonly string[]
  readonly payloadType: number
  readonly encodingName: string
  readonly rate: number | null
  readonly channels: number
  readonly fmtp: ReadonlyMap<string, string>
  readonly control: string | null
}

/** The first track of this kind; null: none, or its format is unreadable. */
function readTrack(lines: readonly string[], kind: 'video' | 'audio'): Track | null {
  const start = lines.findIndex((line) => line.startsWith(`m=${kind} `))
  if (start < 0) return null
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => line.startsWith('m='))
  const media = end < 0 ? rest : rest.slice(0, end)
  // m=video <port> <proto> <fmt> …: port 0 in an answer to DESCRIBE means "chosen by SETUP".
  const payloadType = Number(lines[start]?.trim().split(/\s+/)[3])
  if (!Number.isInteger(payloadType) || payloadType < 0 || payloadType > 127) return null
  const format = attribute(media, 'rtpmap', payloadType) ?? staticTypes[payloadType] ?? onlyFormat(media) ?? ''
  const [name, rate, channels] = format.split('/').map((part) => part.trim())
  if (!name) return null
  const control = media.find((line) => line.startsWith('a=control:'))?.slice('a=control:'.length)
  return {
    media,
    payloadType,
    encodingName: name,
    rate: /^[1-9]\d{3,6}$/.test(rate ?? '') ? Number(rate) : null,
    channels: /^[1-9]\d?$/.test(channels ?? '') ? Number(channels) : 1,
    fmtp: parametersOf(attribute(media, 'fmtp', payloadType) ?? ''),
    control: control?.trim() ?? null,
  }
}

function videoOf({ media, payloadType, encodingName, rate, fmtp, control }: Track): SdpVideo {
  const codec = codecNames.get(encodingName.toLowerCase()) ?? encodingName.toLowerCase()
  const parameterSets = readParameterSets(codec, fmtp)
  const keyframeRequest = offeredRequest(media, payloadType)
  return {
    codec,
    encodingName,
    payloadType,
    clockRate: rate ?? 90_000,
    parameterSets,
    ...(keyframeRequest && { keyframeRequest }),
    resolucao: sizeOfSets(codec, parameterSets) ?? declaredSize(media, payloadType),
    control,
  }
}

const audioOf = ({ payloadType, encodingName, rate, channels, fmtp, control }: Track): SdpAudio => ({
  encoding: encodingName.toLowerCase(),
  payloadType,
  clockRate: rate,
  channels,
  fmtp,
  control,
})

/** Returns the value of `a=name:payloadType value`. */
function attribute(media: readonly string[], name: string, payloadType: number): string | null {
  const pattern = new RegExp(`^a=${name}:\\s*${payloadType}\\s+(.*)$`, 'i')
  for (const line of media) {
    const value = pattern.exec(line)?.[1]
    if (value !== undefined) return value.trim()
  }
  return null
}

/** The only `a=rtpmap` of a track whose `m=` line names another payload type. */
function onlyFormat(media: readonly string[]): string | null {
  const formats = media.flatMap((line) => /^a=rtpmap:\s*\d+\s+(.*)$/i.exec(line)?.[1] ?? [])
  return formats.length === 1 ? (formats[0] ?? null) : null
}

function offeredRequest(media: readonly string[], payloadType: number): SdpVideo['keyframeRequest'] {
  const offers = (feedback: string) =>
    media.some((line) => new RegExp(`^a=rtcp-fb:\\s*(\\*|${payloadType})\\s+${feedback}\\b`, 'i').test(line))
  if (offers('nack\\s+pli')) return 'pli'
  return offers('ccm\\s+fir') ? 'fir' : undefined
}

/** The parameters of `a=fmtp`, names in lower case. */
const parametersOf = (fmtp: string): ReadonlyMap<string, string> =>
  new Map(
    fmtp.split(';').map((part): [string, string] => {
      // Base64 may end in `=`, so only the first `=` is a separator.
      const at = part.indexOf('=')
      return [part.slice(0, Math.max(at, 0)).trim().toLowerCase(), part.slice(at + 1).trim()]
    }),
  )

function readParameterSets(codec: string, fmtp: ReadonlyMap<string, string>): Buffer[] {
  const keys = codec === 'h264' ? ['sprop-parameter-sets'] : ['sprop-vps', 'sprop-sps', 'sprop-pps']
  return keys
    .flatMap((key) => (fmtp.get(key) ?? '').split(','))
    .map((value) => withoutStartCode(Buffer.from(value, 'base64')))
    .filter((set) => set.length > 0)
}

/** Some encoders copy the start code of Annex B into the attribute. */
function withoutStartCode(set: Buffer): Buffer {
  const at = set.subarray(0, 4).indexOf(START_CODE)
  return at >= 0 && set.subarray(0, at).every((byte) => byte === 0) ? set.subarray(at + START_CODE.length) : set
}

function sizeOfSets(codec: string, sets: readonly Buffer[]): string | null {
  if (codec !== 'h264' && codec !== 'h265') return null
  for (const set of sets) {
    const size = pictureSize(codec, set)
    if (size) return `${size.width}x${size.height}`
  }
  return null
}

function declaredSize(media: readonly string[], payloadType: number): string | null {
  const framesize = /^(\d{2,5})-(\d{2,5})$/.exec(attribute(media, 'framesize', payloadType) ?? '')
  const dimensions = media.map((line) => /^a=x-dimensions:\s*(\d{2,5}),\s*(\d{2,5})/i.exec(line)).find(Boolean)
  const found = framesize ?? dimensions
  return found ? `${found[1]}x${found[2]}` : null
}

export interface SdpDescription {
  /** Session name, one line. */
  readonly titulo: string
  /** Server address that the client connected to. */
  readonly host: string
  /** Null: a description without any video. */
  readonly video: {
    readonly codec: 'h264' | 'h265'
    readonly payloadType: number
    readonly parameterSets: readonly Buffer[]
    readonly width: number
    readonly height: number
    readonly fps: number
    readonly control: string
    /** Replaces the codec's own name, to simulate a device with an unknown codec. */
    readonly rtpmap?: string
  } | null
  /** Absent: no audio track. */
  readonly audio?: {
    readonly payloadType: number
    /** null: a static payload type. */
    readonly rtpmap: string | null
    readonly fmtp: string | null
    readonly control: string
  } | null
}

/**
 * Session description of a live stream with CRLF line ends (RFC 8866, RFC 6184 8.2.1, RFC 7798 7.2.1). It has one video
 * track and at most one audio track.
 */
export function buildSdp({ titulo, host, video, audio }: SdpDescription): string {
  const net = host.includes(':') ? 'IP6' : 'IP4'
  const lines = [
    'v=0',
    `o=- 0 0 IN ${net} ${host}`,
    `s=${titulo}`,
    `c=IN ${net} ${net === 'IP6' ? '::' : '0.0.0.0'}`,
    't=0 0',
    'a=control:*',
    'a=range:npt=now-',
  ]
  if (video) {
    const type = video.payloadType
    lines.push(
      `m=video 0 RTP/AVP ${type}`,
      `a=rtpmap:${type} ${video.rtpmap ?? `${video.codec.toUpperCase()}/90000`}`,
      ...(video.rtpmap ? [] : [`a=fmtp:${type} ${formatParameters(video.codec, video.parameterSets)}`]),
      `a=framesize:${type} ${video.width}-${video.height}`,
      `a=framerate:${Number(video.fps.toFixed(3))}`,
      `a=control:${video.control}`,
    )
  }
  if (audio) {
    const type = audio.payloadType
    lines.push(`m=audio 0 RTP/AVP ${type}`)
    if (audio.rtpmap !== null) lines.push(`a=rtpmap:${type} ${audio.rtpmap}`)
    if (audio.fmtp !== null) lines.push(`a=fmtp:${type} ${audio.fmtp}`)
    lines.push(`a=control:${audio.control}`)
  }
  return `${lines.join('\r\n')}\r\n`
}

function formatParameters(codec: 'h264' | 'h265', sets: readonly Buffer[]): string {
  if (codec === 'h264') {
    const sps = sets.find((set) => ((set[0] ?? 0) & 0x1f) === 7)
    // profile_idc, constraint flags and level_idc are the three bytes behind the NAL header.
    const profile = sps ? `;profile-level-id=${sps.subarray(1, 4).toString('hex')}` : ''
    return `packetization-mode=1${profile};sprop-parameter-sets=${base64List(sets)}`
  }
  const ofType = (type: number) => base64List(sets.filter((set) => (((set[0] ?? 0) >> 1) & 0x3f) === type))
  return `sprop-vps=${ofType(32)};sprop-sps=${ofType(33)};sprop-pps=${ofType(34)}`
}

const base64List = (sets: readonly Buffer[]): string => sets.map((set) => set.toString('base64')).join(',')
