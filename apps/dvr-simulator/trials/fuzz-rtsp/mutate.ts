import type { Random } from './random.ts'
import { methods, type Script, type ScriptedFrame, type ScriptedReply } from './script.ts'

type Mutation = (script: Script, random: Random) => void

/** Applies 1 to 8 mutations; each changes a specific part of the protocol. */
export function mutate(script: Script, random: Random): void {
  for (let count = 1 + random.int(8); count > 0; count--) random.pick(mutations)(script, random)
}

/** Replacements for a number, a name or a URL in a header. */
const ODD_TEXTS = [
  '',
  '0',
  '-1',
  '99999999999999999999',
  '4294967296',
  'NaN',
  '\0',
  ';;;;',
  '=',
  '%s%n',
  'a'.repeat(300),
  'a'.repeat(20_000),
  'rtsp://127.0.0.1:1/x',
  'rtsp://u:p@[::1]:99999/\u00ff',
  'interleaved=255-256',
  'interleaved=9',
  'timeout=0',
  'x;timeout=999999999',
  '*',
] as const

const STATUSES = [
  'RTSP/1.0 100 Continue',
  'RTSP/1.0 200',
  'RTSP/1.0 302 Moved',
  'RTSP/1.0 401 Unauthorized',
  'RTSP/1.0 404 Not Found',
  'RTSP/1.0 453 Not Enough Bandwidth',
  'RTSP/1.0 454 Session Not Found',
  'RTSP/1.0 459 Aggregate',
  'RTSP/1.0 503 Busy',
  'RTSP/1.0 999 x',
  'RTSP/1.0 20 x',
  'RTSP/2.0 200 OK',
  'HTTP/1.1 200 OK',
  'RTSP/1.0',
  'OPTIONS * RTSP/1.0',
] as const

const CHALLENGES = [
  'Digest realm="r", nonce="n"',
  'Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256, stale=true',
  'Digest realm="r", nonce="n", qop="auth-int"',
  'Digest realm="\\',
  'Basic realm="r"',
  'Digest',
  'x'.repeat(5000),
] as const

const replyOf = (script: Script, random: Random): ScriptedReply => script.replies[random.pick(methods)]

const replyMutations: readonly Mutation[] = [
  (script, random) => {
    replyOf(script, random).status = random.pick(STATUSES)
  },
  (script, random) => {
    const reply = replyOf(script, random)
    reply.status = 'RTSP/1.0 401 Unauthorized'
    reply.headers.push(['WWW-Authenticate', random.pick(CHALLENGES)])
  },
  (script, random) => {
    const { headers } = replyOf(script, random)
    headers.splice(random.int(headers.length + 1), 1)
  },
  (script, random) => {
    const { headers } = replyOf(script, random)
    const header = headers[random.int(headers.length)]
    if (header) header[random.int(2)] = random.pick(ODD_TEXTS)
  },
  (script, random) => {
    const { headers } = replyOf(script, random)
    for (let count = random.int(2000); count > 0; count--) headers.push(['X', 'y'])
  },
  (script, random) => {
    const reply = replyOf(script, random)
    reply.length = random.pick([...ODD_TEXTS, '1', '70000', '65536', '1000000000'])
  },
  (script, random) => {
    replyOf(script, random).cseq = random.pick(['wrong', 'absent'])
  },
  (script, random) => {
    replyOf(script, random).lineEnd = random.pick(['\n', '\r', '\r\n\r\n', '\n\r'])
  },
  (script, random) => {
    replyOf(script, random).times = random.pick([0, 2, 3])
  },
  (script, random) => {
    replyOf(script, random).before = random.pick([
      random.bytes(random.int(200)),
      Buffer.from('\r\n\r\n'),
      Buffer.from('OPTIONS * RTSP/1.0\r\nCSeq: 7\r\n\r\n'),
      Buffer.from('TEARDOWN * RTSP/1.0\r\nCSeq: x\r\n\r\n'),
      Buffer.from([0x24, 0, 0, 0]),
      Buffer.from([0x24, 0, 0xff, 0xff]),
    ])
  },
]

const sdpMutations: readonly Mutation[] = [
  (script, random) => editSdp(script, random, () => ''),
  (script, random) => editSdp(script, random, (line) => `${line}\r\n${line}`),
  (script, random) => editSdp(script, random, (line) => line.replace(/\d+/, random.pick(ODD_TEXTS))),
  (script, random) => editSdp(script, random, (line) => line.replace(/[:=][^:=]*$/, `:${random.pick(ODD_TEXTS)}`)),
  (script, random) => editSdp(script, random, (line) => line.slice(0, random.int(line.length + 1))),
  (script, random) => {
    const body = Buffer.from(script.replies.DESCRIBE.body)
    script.replies.DESCRIBE.body = flip(body, random)
  },
  (script) => {
    script.replies.DESCRIBE.body = Buffer.from(`m=audio 0 RTP/AVP 0\r\na=control:t0\r\n${script.replies.DESCRIBE.body}`)
  },
  (script, random) => {
    script.replies.DESCRIBE.body = random.bytes(random.int(70_000))
  },
]

function editSdp(script: Script, random: Random, edit: (line: string) => string): void {
  const lines = script.replies.DESCRIBE.body.toString('latin1').split('\r\n')
  const at = random.int(lines.length)
  lines[at] = edit(lines[at] ?? '')
  script.replies.DESCRIBE.body = Buffer.from(lines.join('\r\n'), 'latin1')
}

const frameMutations: readonly Mutation[] = [
  (script, random) => withFrame(script, random, (frame) => ({ ...frame, channel: random.int(256) })),
  (script, random) => withFrame(script, random, (frame) => ({ ...frame, length: random.int(65_536) })),
  (script, random) =>
    withFrame(script, random, (frame) => ({ ...frame, data: frame.data.subarray(0, random.int(20)) })),
  (script, random) => insert(script, random, { channel: 0, data: random.bytes(random.int(3000)), length: -1 }),
  (script, random) => insert(script, random, { channel: 0, data: Buffer.alloc(0), length: null }),
  (script, random) => insert(script, random, { channel: random.int(4), data: report(random), length: null }),
  (script, random) =>
    insert(script, random, {
      channel: 0,
      data: Buffer.from(
        `${random.pick(STATUSES)}\r\nCSeq: ${random.int(9)}\r\nContent-Length: ${random.int(99)}\r\n\r\n`,
      ),
      length: -1,
    }),
  (script, random) => {
    script.frames.splice(random.int(script.frames.length + 1), 1 + random.int(3))
  },
  (script, random) => {
    const from = random.int(script.frames.length + 1)
    insert(script, random, ...script.frames.slice(from, from + 1 + random.int(5)))
  },
  (script, random) => {
    script.frames.sort(() => random.int(3) - 1)
  },
]

const rtpMutations: readonly Mutation[] = [
  // Fields of the RTP header: version, padding, extension, CSRC count, marker, payload type, sequence, timestamp, SSRC.
  (script, random) => withPacket(script, random, (data) => data.writeUInt8(random.int(256), 0)),
  (script, random) => withPacket(script, random, (data) => data.writeUInt8((data[1] ?? 0) ^ (1 << random.int(8)), 1)),
  (script, random) => withPacket(script, random, (data) => data.writeUInt16BE(random.int(65_536), 2)),
  (script, random) => withPacket(script, random, (data) => data.writeUInt32BE(random.int(2 ** 32), 4)),
  (script, random) => withPacket(script, random, (data) => data.writeUInt32BE(random.int(2 ** 32), 8)),
  (script, random) => withPacket(script, random, (data) => data.writeUInt8(random.int(256), data.length - 1)),
  (script, random) =>
    withFrame(script, random, ({ data, ...frame }) => {
      const words = random.int(6)
      const extension = Buffer.concat([Buffer.from([0xab, 0xac, random.int(3), words]), random.bytes(words * 4)])
      const head = Buffer.from(data.subarray(0, 12))
      head[0] = (head[0] ?? 0) | 0x10
      return { ...frame, data: Buffer.concat([head, extension, data.subarray(12)]) }
    }),
  (script, random) => {
    const bit = 1 << random.int(8)
    const at = 12 + random.int(3)
    for (const { data } of script.frames) if (at < data.length) data[at] = (data[at] ?? 0) ^ bit
  },
  (script, random) => {
    const step = random.int(2 ** 32)
    for (const { data } of script.frames.slice(random.int(script.frames.length + 1)))
      if (data.length >= 12) data.writeUInt32BE((data.readUInt32BE(4) + step) >>> 0, 4)
  },
  (script) => {
    for (const { data } of script.frames) if (data.length >= 12) data[1] = (data[1] ?? 0) & 0x7f
  },
]

const payloadMutations: readonly Mutation[] = [
  // Type of the payload structure, and the flags of a fragment.
  (script, random) => withPayload(script, random, (data) => data.writeUInt8(random.int(256), 12)),
  (script, random) => withPayload(script, random, (data) => data.writeUInt8(random.int(256), 13)),
  (script, random) => withPayload(script, random, (data) => data.writeUInt8(random.int(256), 14)),
  (script, random) => withPayload(script, random, (data) => void flip(data.subarray(12), random)),
  (script, random) => replacePayload(script, random, aggregate(script.codec, random)),
  (script, random) => replacePayload(script, random, random.bytes(random.int(1400))),
  (script, random) => replacePayload(script, random, Buffer.alloc(0)),
  (script, random) => replacePayload(script, random, sei(script.codec, random)),
  (script, random) => fragments(script, random, 1 + random.int(40), 1400),
]

const endings: readonly Mutation[] = [
  (script, random) => {
    script.ending = random.pick(['silence', 'reset', 'end', 'end'])
  },
  (script) => {
    script.early = true
  },
  (script, random) => {
    // Several NAL units of 30 fragments with 64 kB each, above the size limit of a unit.
    if (random.chance(0.02)) fragments(script, random, 150, 65_000)
  },
]

const mutations: readonly [Mutation, ...Mutation[]] = [
  ...(replyMutations as [Mutation, ...Mutation[]]),
  ...sdpMutations,
  ...frameMutations,
  ...frameMutations,
  ...rtpMutations,
  ...rtpMutations,
  ...payloadMutations,
  ...payloadMutations,
  ...endings,
]

function withFrame(script: Script, random: Random, change: (frame: ScriptedFrame) => ScriptedFrame): void {
  const at = random.int(Math.max(1, script.frames.length))
  const frame = script.frames[at]
  if (frame) script.frames[at] = change({ ...frame, data: Buffer.from(frame.data) })
}

const withPacket = (script: Script, random: Random, change: (data: Buffer) => void): void =>
  withFrame(script, random, (frame) => {
    if (frame.data.length >= 12) change(frame.data)
    return frame
  })

const withPayload = (script: Script, random: Random, change: (data: Buffer) => void): void =>
  withFrame(script, random, (frame) => {
    if (frame.data.length >= 16) change(frame.data)
    return frame
  })

const replacePayload = (script: Script, random: Random, payload: Buffer): void =>
  withFrame(script, random, (frame) => ({ ...frame, data: Buffer.concat([frame.data.subarray(0, 12), payload]) }))

const insert = (script: Script, random: Random, ...frames: readonly ScriptedFrame[]): void => {
  script.frames.splice(random.int(script.frames.length + 1), 0, ...frames)
}

function flip(bytes: Buffer, random: Random): Buffer {
  for (let count = 1 + random.int(8); count > 0 && bytes.length > 0; count--) {
    const at = random.int(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(8))
  }
  return bytes
}

/** STAP-A or AP, possibly with wrong lengths. */
function aggregate(codec: Script['codec'], random: Random): Buffer {
  const header = codec === 'h264' ? [24] : [48 << 1, 1]
  const parts = Array.from({ length: random.int(6) }, () => {
    const unit = random.bytes(random.int(40))
    const length = Buffer.alloc(2)
    length.writeUInt16BE(random.chance(0.3) ? random.int(65_536) : unit.length)
    return Buffer.concat([length, unit])
  })
  return Buffer.concat([Buffer.from(header), ...parts])
}

/** SEI with long runs of 0xff in its sizes. */
const sei = (codec: Script['codec'], random: Random): Buffer =>
  Buffer.concat([
    Buffer.from(codec === 'h264' ? [6] : [39 << 1, 1]),
    Buffer.alloc(random.int(600), 0xff),
    random.bytes(random.int(20)),
  ])

/** Fragments of one unit, possibly with wrong start and end bits. */
function fragments(script: Script, random: Random, count: number, bytes: number): void {
  const model = script.frames.find(({ data }) => data.length >= 12)?.data.subarray(0, 12) ?? Buffer.alloc(12, 0x80)
  const payload = Buffer.alloc(bytes, random.int(256))
  const start = random.chance(0.8) ? 0 : -1
  const frames = Array.from({ length: count }, (_, index): ScriptedFrame => {
    const flags = (index === start ? 0x80 : 0) | (index === count - 1 && random.chance(0.8) ? 0x40 : 0)
    const head = Buffer.from(model)
    head.writeUInt16BE((head.readUInt16BE(2) + index) & 0xffff, 2)
    const indicator = script.codec === 'h264' ? [0x60 | 28, flags | 5] : [49 << 1, 1, flags | 19]
    return { channel: 0, data: Buffer.concat([head, Buffer.from(indicator), payload]), length: null }
  })
  insert(script, random, ...frames)
}

/** RTCP: a sender report, BYE, or inconsistent type and length. */
function report(random: Random): Buffer {
  const data = Buffer.concat([Buffer.from([0x80, random.pick([200, 201, 203, 204, 223]), 0, 6]), random.bytes(24)])
  if (random.chance(0.4)) data.writeUInt16BE(random.int(65_536), 2)
  return random.chance(0.3) ? data.subarray(0, 4 + random.int(24)) : data
}
