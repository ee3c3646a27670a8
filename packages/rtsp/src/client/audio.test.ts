import { afterEach, expect, it } from 'vitest'
import { openRtspSession, type RtspAudioFormat, type RtspAudioPacket } from '../client.ts'
import { answer, type RawServer, SETUP, startRawServer, VIDEO } from '../testing/raw-server.ts'

const running: RawServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.close()
})

/** One interleaved packet with `payload`. */
function frame(channel: number, type: number, index: number, timestamp: number, payload: readonly number[]): Buffer {
  const head = Buffer.from([
    0x24,
    channel,
    0,
    12 + payload.length,
    0x80,
    0x80 | type,
    0,
    index,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    type,
  ])
  head.writeUInt32BE(timestamp, 8)
  return Buffer.concat([head, Buffer.from(payload)])
}
const picture = (index: number, channel = 0) =>
  frame(channel, 96, index, index * 3600, [index === 0 ? 0x65 : 0x41, 0x88, index])
/** G.711 of 20 ms with one byte. */
const sound = (index: number, { channel = 2, type = 8 } = {}) => frame(channel, type, index, index * 160, [index])

interface Given {
  readonly sdp?: readonly string[]
  readonly media: readonly Buffer[]
  /** Answer to the SETUP of the audio. */
  readonly audioStatus?: number
  readonly audioTransport?: string
}

/** Plays a recorder with audio until its media has been sent. */
async function listen({ sdp = ['m=audio 0 RTP/AVP 8', 'a=control:som'], media, audioStatus = 200, ...given }: Given) {
  const transport = given.audioTransport ?? 'RTP/AVP/TCP;unicast;interleaved=2-3'
  const server = await startRawServer((socket, request, _, cseq) => {
    if (request.startsWith('DESCRIBE')) socket.write(answer(cseq, 200, [], ['v=0', ...VIDEO, ...sdp].join('\r\n')))
    else if (/^SETUP \S*som/.test(request))
      socket.write(answer(cseq, audioStatus, ['Session: s1', `Transport: ${transport}`]))
    else if (request.startsWith('SETUP')) socket.write(answer(cseq, 200, SETUP))
    else socket.write(answer(cseq, 200))
    // BYE of the video ends the stream.
    const bye = Buffer.from([0x24, 1, 0, 8, 0x81, 203, 0, 1, 0, 0, 0, 96])
    if (request.startsWith('PLAY')) socket.write(Buffer.concat([...media, bye]))
  })
  running.push(server)
  const formats: (RtspAudioFormat | 'absent' | 'format')[] = []
  const heard: RtspAudioPacket[] = []
  let pictures = 0
  const end = await openRtspSession({
    url: `rtsp://127.0.0.1:${server.porta}/cam`,
    openTimeoutMs: 2000,
    stallTimeoutMs: 2000,
    signal: new AbortController().signal,
    onParameters: () => {},
    onAccessUnit: () => pictures++,
    audio: { onFormat: (format) => formats.push(format), onPacket: (packet) => heard.push(packet) },
  })
  const requests = server.connections.flatMap((connection) => connection.requests)
  return { end, formats, heard, pictures, setups: requests.filter((text) => text.startsWith('SETUP')) }
}

it('sets the audio up in the session of the video, and passes it on with its times', async () => {
  const media = [picture(0), sound(0), picture(1), sound(1), sound(3), picture(2), picture(3), picture(4)]
  const { end, formats, heard, pictures, setups } = await listen({ media })
  expect(end).toMatchObject({ failure: 'fluxo_encerrado' })
  expect(formats).toEqual([{ codec: 'pcma', sampleRate: 8000 }])
  expect(pictures).toBe(5)
  expect(heard.map(({ ptsMs, data }) => [ptsMs, ...data])).toEqual([
    [0, 0],
    [20, 1],
    [60, 3],
  ])
  expect(setups).toHaveLength(2)
  expect(setups[1]).toContain('interleaved=2-3')
  expect(setups[1]).toContain('Session: s1')
})

it('separates audio and video by the channel if they have one type, and by the type on foreign channels', async () => {
  const alike = ['m=audio 0 RTP/AVP 96', 'a=rtpmap:96 PCMA/8000', 'a=control:som']
  const same = await listen({ sdp: alike, media: [picture(0), sound(0, { type: 96 }), picture(1), picture(2)] })
  expect([same.pictures, same.heard.length]).toEqual([3, 1])
  const swapped = await listen({ media: [picture(0, 6), sound(0, { channel: 8 }), picture(1, 6), picture(2, 6)] })
  expect([swapped.pictures, swapped.heard.length]).toEqual([3, 1])
})

it('takes the channels that the recorder grants', async () => {
  const audioTransport = 'RTP/AVP/TCP;unicast;interleaved=6-7'
  // An end of the audio alone does not end the video.
  const bye = Buffer.from([0x24, 7, 0, 8, 0x81, 203, 0, 1, 0, 0, 0, 8])
  const media = [picture(0), sound(0, { channel: 6 }), bye, picture(1), picture(2)]
  const { pictures, heard } = await listen({ audioTransport, media })
  expect([pictures, heard.length]).toEqual([3, 1])
})

it.each([
  ['a recorder that refuses it', { audioStatus: 404 }, 'absent'],
  ['a description without audio', { sdp: [] }, 'absent'],
  ['a format that is not read', { sdp: ['m=audio 0 RTP/AVP 98', 'a=rtpmap:98 G726-32/8000'] }, 'format'],
] as const)('plays without the audio of %s', async (_, given, format) => {
  const { formats, pictures, heard } = await listen({ ...given, media: [picture(0), picture(1), picture(2)] })
  expect([formats, pictures, heard]).toEqual([[format], 3, []])
})
