import { afterEach, expect, it } from 'vitest'
import type { RtspAccessUnit } from './client.ts'
import { pullRecording, ticksOf } from './pull-recording.ts'
import { answer, type RawServer, SETUP, startRawServer, VIDEO } from './testing/raw-server.ts'

const SDP = ['v=0', ...VIDEO].join('\r\n')
const GROUP_S = 120
const FPS = 5
const TICKS = 90_000 / FPS

const running: RawServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.close()
})

/** An RTP packet with a whole picture: an IDR slice if `keyframe` is set. */
function picture(index: number, keyframe: boolean): Buffer {
  const data = Buffer.from([0x24, 0, 0, 15, 0x80, 0x80 | 96, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0x88, 1])
  data.writeUInt16BE(index & 0xffff, 6)
  data.writeUInt32BE(index * TICKS, 8)
  data[16] = keyframe ? 0x65 : 0x41
  return data
}

/** 300 s with a keyframe every 120 s, sent at once by a recorder that begins `joinedS` seconds behind one. */
const media = (joinedS: number): Buffer =>
  Buffer.concat(Array.from({ length: 300 * FPS }, (_, i) => picture(i, (i + joinedS * FPS) % (GROUP_S * FPS) === 0)))

async function pull(joinedS: number, wantedS: number) {
  const server = await startRawServer((socket, request, _n, cseq) => {
    if (request.startsWith('DESCRIBE')) socket.write(answer(cseq, 200, [], SDP))
    else if (request.startsWith('SETUP')) socket.write(answer(cseq, 200, SETUP))
    else socket.write(answer(cseq, 200, ['Public: OPTIONS']))
    if (request.startsWith('PLAY')) socket.write(media(joinedS))
  })
  running.push(server)
  const units: RtspAccessUnit[] = []
  const pulled = await pullRecording({
    url: `rtsp://127.0.0.1:${server.porta}/x`,
    span: { fromMs: 0, toMs: wantedS * 1_000 },
    signal: AbortSignal.timeout(60_000),
    onParameters() {},
    onAccessUnit: (unit) => units.push(unit),
  })
  const [first] = units
  return { ...pulled, startS: first && ticksOf(first) / 90_000, lastS: (units.at(-1)?.ticks ?? 0) / 90_000 }
}

it('goes on behind the second keyframe of a recorder that may begin long before the wanted time', async () => {
  expect(await pull(0, 30)).toMatchObject({
    end: 'complete',
    hasSkipped: false,
    startS: 0,
    lastS: GROUP_S + 30 - 1 / FPS,
  })
})

it('knows the time of the first keyframe of a recorder that begins in the middle of a group', async () => {
  const { end, hasSkipped, startS, units } = await pull(87, 60)
  expect({ end, hasSkipped, startS, units }).toEqual({
    end: 'complete',
    hasSkipped: true,
    startS: GROUP_S - 87,
    units: (60 - (GROUP_S - 87)) * FPS,
  })
})

it('says that the wanted part has pictures, but none that can be decoded', async () => {
  expect(await pull(87, 30)).toMatchObject({ end: 'complete', hasSkipped: true, units: 0 })
})
