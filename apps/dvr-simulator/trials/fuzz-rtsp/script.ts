import { buildSdp } from '@vigia/rtsp/sdp'
import type { EncodedVideo } from '@vigia/video/testing/access-units'
import { type AudioKind, audioKinds, type EncodedAudio, encodeTone } from '../../src/rtp/audio.ts'
import { packetize } from '../../src/rtp/packetize.ts'
import { createRtpStream } from '../../src/rtp/rtp-stream.ts'
import { shortClip } from '../../src/test/clips.ts'
import type { Random } from './random.ts'

/** `AUDIO`: SETUP of the audio. */
export const methods = ['OPTIONS', 'DESCRIBE', 'SETUP', 'AUDIO', 'PLAY'] as const
type Method = (typeof methods)[number]

/** A reply before its headers are serialized. */
export interface ScriptedReply {
  status: string
  headers: [name: string, value: string][]
  body: Buffer
  lineEnd: string
  cseq: 'same' | 'wrong' | 'absent'
  /** Value of Content-Length; null: the correct one. */
  length: string | null
  /** Number of times sent; 0: the request is never answered. */
  times: number
  /** Bytes before the reply. */
  before: Buffer
}

/** Part of the media behind the answer to PLAY: a frame with its channel, or bytes without a frame. */
export interface ScriptedFrame {
  channel: number
  data: Buffer
  /** Length in the header of the frame; null: the right length. Below 0: no header. */
  length: number | null
}

export interface Script {
  readonly codec: 'h264' | 'h265'
  readonly replies: Record<Method, ScriptedReply>
  frames: ScriptedFrame[]
  /** Action of the server after all bytes are sent. */
  ending: 'end' | 'silence' | 'reset'
  /** Largest chunk. */
  chunkBytes: number
  /** Media begins before the answer to PLAY. */
  early: boolean
}

export const PICTURES = 12
export const SOUNDS = 6
const tones = new Map<AudioKind, EncodedAudio>(audioKinds.map((kind) => [kind, encodeTone(kind)]))
const clips = {
  h264: await shortClip('campus-b-quadros-b.mp4', 2, 1),
  h265: await shortClip('campus-c-quadros-b-h265.mp4', 2, 1),
}
/** The first pictures of two GOPs: after a loss in the first GOP the client can continue in the second. */
const picturesOf = ({ units }: EncodedVideo) => units.filter((_, index) => index % 20 < PICTURES / 2)

/** A correct dialogue: the server plays the first pictures of a clip and closes the connection. */
export function validScript(random: Random): Script {
  const codec = random.pick(['h264', 'h265'] as const)
  const video = clips[codec]
  const reply = (headers: [string, string][] = [], body = ''): ScriptedReply => ({
    status: 'RTSP/1.0 200 OK',
    headers,
    body: Buffer.from(body),
    lineEnd: '\r\n',
    cseq: 'same',
    length: null,
    times: 1,
    before: Buffer.alloc(0),
  })
  const audio = tones.get(random.pick(audioKinds)) ?? encodeTone('pcma')
  const sdp = buildSdp({
    titulo: 'x',
    host: '127.0.0.1',
    video: { ...video, payloadType: 96, control: 'trackID=0' },
    audio: { ...audio, control: 'trackID=1' },
  })
  const frames = framesOf(video, random)
  const sounds = soundsOf(audio)
  return {
    codec,
    replies: {
      OPTIONS: reply([['Public', 'OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN, GET_PARAMETER']]),
      DESCRIBE: reply([['Content-Base', 'rtsp://h/stream/']], sdp),
      SETUP: reply([
        ['Transport', 'RTP/AVP/TCP;unicast;interleaved=0-1'],
        ['Session', 'a1b2c3;timeout=60'],
      ]),
      AUDIO: reply([
        ['Transport', 'RTP/AVP/TCP;unicast;interleaved=2-3'],
        ['Session', 'a1b2c3;timeout=60'],
      ]),
      PLAY: reply([
        ['Session', 'a1b2c3'],
        ['Range', 'npt=now-'],
      ]),
    },
    frames: [...frames.slice(0, 3), ...sounds, ...frames.slice(3)],
    ending: 'end',
    chunkBytes: random.pick([1, 7, 100, 1400, 65_536, 65_536]),
    early: false,
  }
}

function framesOf(video: EncodedVideo, random: Random): ScriptedFrame[] {
  const stream = createRtpStream()
  const maxPayload = random.pick([60, 300, 1400, 1400, 60_000])
  return picturesOf(video).flatMap((unit) => {
    const nals = unit.key ? [...video.parameterSets, ...unit.nals] : unit.nals
    const packets = stream.packets(packetize(video.codec, nals, maxPayload), unit.pts)
    return packets.map((data): ScriptedFrame => ({ channel: 0, data, length: null }))
  })
}

function soundsOf({ payloads, payloadType, samplesPerPacket }: EncodedAudio): ScriptedFrame[] {
  const stream = createRtpStream(payloadType)
  const packets = payloads.slice(0, SOUNDS).flatMap((payload, i) => stream.packets([payload], i * samplesPerPacket))
  return packets.map((data) => ({ channel: 2, data, length: null }))
}
