import { afterEach, expect, it } from 'vitest'
import { openRtspSession, type RtspAccessUnit } from '../client.ts'
import { answer, type RawServer, startRawServer } from '../testing/raw-server.ts'
import { isRtcp } from './rtcp.ts'

const sps = 'Z0LAFtkAoC/5cBEAAAMAAQAAAwAUDxYuSA=='
const sdp = (feedback: string) =>
  [
    'v=0',
    'm=video 0 RTP/AVPF 96',
    'a=rtpmap:96 H264/90000',
    `a=fmtp:96 sprop-parameter-sets=${sps},aM44gA==`,
    ...(feedback === '' ? [] : [`a=rtcp-fb:${feedback}`]),
    'a=control:video',
    '',
  ].join('\r\n')
const SETUP = ['Session: s1;timeout=60', 'Transport: RTP/AVP/TCP;unicast;interleaved=0-1']
const SSRC = 0x01020304

const running: RawServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.close()
})

function picture(index: number, keyframe: boolean): Buffer {
  const data = Buffer.from([0x24, 0, 0, 15, 0x80, 0x80 | 96, 0, index, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0x88, 1])
  data.writeUInt32BE(index * 3600, 8)
  data[16] = keyframe ? 0x65 : 0x41
  return data
}

/** Feedback packets of an interleaved frame. */
function feedbackOf(frame: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = 4; isRtcp(frame, at, frame.length); at += 4 + 4 * frame.readUInt16BE(at + 2))
    if (frame[at + 1] === 206) found.push(frame.subarray(at, at + 4 + 4 * frame.readUInt16BE(at + 2)))
  return found
}

/** A camera that sends a keyframe only on request, or after 40 pictures. */
async function watch(feedback: string) {
  const asked: Buffer[] = []
  const server = await startRawServer((socket, request, _n, cseq) => {
    if (request.startsWith('DESCRIBE')) socket.write(answer(cseq, 200, [], sdp(feedback)))
    else if (request.startsWith('SETUP')) socket.write(answer(cseq, 200, SETUP))
    else socket.write(answer(cseq, 200, ['Public: OPTIONS']))
    if (!request.startsWith('PLAY')) return
    let index = 0
    const timer = setInterval(() => {
      if (socket.destroyed) clearInterval(timer)
      else socket.write(picture(index++, asked.length > 0 || index > 40))
    }, 5)
    socket.on('data', (chunk: Buffer) => {
      if (chunk[0] === 0x24) asked.push(...feedbackOf(chunk))
    })
  })
  running.push(server)
  const stop = new AbortController()
  const units: RtspAccessUnit[] = []
  await openRtspSession({
    url: `rtsp://127.0.0.1:${server.porta}/x`,
    openTimeoutMs: 5_000,
    stallTimeoutMs: 5_000,
    signal: stop.signal,
    onParameters() {},
    onAccessUnit(unit) {
      units.push(unit)
      stop.abort()
    },
  })
  expect(units[0]?.keyframe).toBe(true)
  return asked.map((packet) => [...packet.subarray(0, 2), ...packet.subarray(8)])
}

const source = [...Buffer.from([SSRC >>> 24, (SSRC >>> 16) & 255, (SSRC >>> 8) & 255, SSRC & 255])]

it.each([
  ['* nack pli', [[0x81, 206, ...source]]],
  ['96 ccm fir', [[0x84, 206, 0, 0, 0, 0, ...source, 0, 0, 0, 0]]],
  ['97 nack pli', []],
  ['96 nack', []],
  ['', []],
])('asks for a keyframe as the camera offers it: %j', async (feedback, packets) => {
  expect(await watch(feedback)).toEqual(packets)
})
