import { rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { nal } from '@vigia/rtsp/testing/nal-writer'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, expect, it } from 'vitest'
import { annexB } from './codec-parameters.ts'
import { createConnection } from './connection.ts'
import { createDecoder } from './decode.ts'
import { decoderNeed, MAX_DECODER_BYTES, overBudget } from './decoder-budget.ts'
import { createFfmpegSource } from './ffmpeg-source.ts'
import { makeClip } from './mp4/clip.ts'
import { startCodeFormat } from './nal-units.ts'
import { createDecoderReader } from './readers/decoder.ts'
import { fmtpOf, pictures, playFootage } from './test-peer/footage.ts'
import { type Peer, startRtspPeer } from './test-peer/rtsp-peer.ts'
import { openStill } from './testing/still.ts'

let peer: Peer | null = null
afterEach(() => peer?.close())

/** 4096 x 4096 with 16 references, as one stream of 548 MB. */
const largeH264 = nal(
  [0x67],
  [
    'u:8:77',
    'u:8:0',
    'u:8:62',
    'ue:0',
    'ue:0',
    'ue:0',
    'ue:0',
    'ue:16',
    'u:1:0',
    'ue:255',
    'ue:255',
    'u:1:1',
    'u:1:1',
    'u:1:0',
    'u:1:0',
  ],
)
const largeH265 = nal(
  [0x42, 1],
  [
    'u:4:0',
    'u:3:0',
    'u:1:1',
    'u:32:1',
    'u:32:0',
    'u:32:0',
    'ue:0',
    'ue:1',
    'ue:4096',
    'ue:4096',
    'u:1:0',
    'ue:0',
    'ue:0',
    'ue:4',
    'u:1:1',
    'ue:15',
    'ue:2',
    'ue:0',
    'ue:0',
    'ue:0',
  ],
)
const refusal = {
  failure: 'video_grande_demais',
  detail: '4096x4096 com 16 quadros de referência: 408 MiB; o limite é 128 MiB',
}

it('computes the memory of a decoder from the sequence parameter set', () => {
  expect(decoderNeed('h264', [largeH264])).toMatchObject({ width: 4096, references: 16, bytes: 17 * 4096 * 4096 * 1.5 })
  expect(decoderNeed('h265', [largeH265])).toMatchObject({ width: 4096, references: 15, bytes: 16 * 4096 * 4096 * 1.5 })
  for (const codec of ['h264', 'h265'] as const) {
    const need = decoderNeed(codec, pictures[codec][0]?.nals ?? [])
    expect(need?.bytes).toBeGreaterThan(0)
    expect(overBudget(need)).toBeNull()
  }
  expect([decoderNeed('mjpeg', [largeH264]), decoderNeed('h264', [Buffer.from([0x67, 1])])]).toEqual([null, null])
})

it('leaves space for the streams of real cameras', () => {
  const mib = (width: number, height: number, references: number) => width * height * 1.5 * (references + 1)
  for (const [width, height, references] of [
    [3840, 2160, 5],
    [4000, 3000, 6],
    [2592, 1944, 9],
    [1920, 1088, 16],
  ] as const)
    expect(mib(width, height, references)).toBeLessThanOrEqual(MAX_DECODER_BYTES)
})

it.each(['h264', 'h265'] as const)('opens no decoder for a stream of %s above the budget', async (codec) => {
  const native = () => {
    throw new Error('decoding began')
  }
  const parameterSets = [codec === 'h264' ? largeH264 : largeH265]
  const opened = await createDecoder({ codec, codecLabel: null, parameterSets, split: startCodeFormat.split, native })
  expect(opened).toMatchObject({ failure: 'video_grande_demais' })
})

it.each(['own', 'ffmpeg'] as const)(
  'ends a stream whose parameter sets grow beyond the budget: %s client',
  async (client) => {
    const [first, ...rest] = pictures.h264
    if (!first) throw new Error('no footage')
    const grown = { ...first, nals: [largeH264, ...first.nals] }
    const loop = [first, ...rest.slice(0, 9), grown, ...rest.slice(0, 9)]
    peer = await startRtspPeer({ play: (rtp, socket) => void playFootage(rtp, socket, { pictures: loop, count: 60 }) })
    const frames: number[] = []
    const connection = createConnection({ url: peer.url(), client })
    connection.attach(createDecoderReader({ onInfo: () => {}, onFrame: ({ width }) => void frames.push(width) }), {
      awaited: true,
    })
    expect(await connection.run(AbortSignal.timeout(20_000))).toEqual(refusal)
    expect(frames.length).toBeGreaterThan(0)
    expect(Math.max(...frames)).toBeLessThan(1_000)
  },
)

it('ends a stream whose description is above the budget', async () => {
  const sdp = fmtpOf('h264').replace(
    /sprop-parameter-sets=[^,]*/,
    `sprop-parameter-sets=${largeH264.toString('base64')}`,
  )
  peer = await startRtspPeer({
    sdp: ['v=0', 's=x', 't=0 0', 'm=video 0 RTP/AVP 96', 'a=rtpmap:96 H264/90000', sdp, 'a=control:track1', ''].join(
      '\r\n',
    ),
    play: (rtp, socket) => void playFootage(rtp, socket, { withoutParameterSets: true }),
  })
  for (const client of ['own', 'ffmpeg'] as const) {
    const connection = createConnection({ url: peer.url(), client })
    connection.attach(createDecoderReader({ onInfo: () => {}, onFrame: () => {} }), { awaited: true })
    expect(await connection.run(AbortSignal.timeout(20_000))).toEqual(refusal)
  }
})

it('ends a file above the budget before any of its pictures is decoded', async () => {
  const [first] = pictures.h264
  if (!first) throw new Error('no footage')
  const parameterSets = [largeH264, ...first.nals.filter((one) => ((one[0] ?? 0) & 31) === 8)]
  const parameters = { codec: 'h264', parameterSets, split: startCodeFormat.split } as const
  const packets = [0, 40].map((timeMs) => ({ keyframe: true, timeMs, data: annexB(first.nals) }))
  const clip = makeClip([{ parameters, discontinuity: true, packets, audio: [] }], { atMs: 0, toMs: 1_000 })
  const folder = temporaryFolder('vigia-decoder-budget-')
  try {
    const path = join(folder, 'clip.mp4')
    await writeFile(path, clip?.data ?? '')
    const times = { transport: 'tcp', openTimeoutMs: 5_000, stallTimeoutMs: 5_000 } as const
    const sink = { opened: () => Promise.reject(new Error('opened')), packet: () => undefined }
    const end = await createFfmpegSource({ kind: 'file', path }, times).run(sink, AbortSignal.timeout(20_000))
    expect(end).toEqual(refusal)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

it('decodes no picture above the limit of pixels', async () => {
  const small = await openStill(png(1_000))
  expect([small?.frame.width, await openStill(png(5_000))]).toEqual([1_000, null])
  await small?.release()
})

/** A black square with one bit per pixel. */
function png(side: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  const rows = deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))))
  const parts = [chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts])
}
