import { Duplex } from 'node:stream'
import type { Random } from './random.ts'
import { methods, type Script, type ScriptedFrame, type ScriptedReply } from './script.ts'

/**
 * The client side of a connection in memory. A scripted server answers on the other side. No sockets are involved, so a
 * thousand dialogues run per second.
 */
export function openPeer(script: Script, random: Random): Duplex {
  let request = ''
  const peer = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      request += chunk.toString('latin1')
      for (let end = request.indexOf('\r\n\r\n'); end >= 0; end = request.indexOf('\r\n\r\n')) {
        const text = request.slice(0, end)
        request = request.slice(end + 4)
        answer(text)
      }
      // Receiver reports contain no header delimiter.
      if (request.length > 4096) request = ''
      done()
    },
    final(done) {
      if (!peer.readableEnded) peer.push(null)
      done()
    },
  })

  function answer(text: string): void {
    const isAudio = /^SETUP \S*trackID=1 /m.test(text)
    const method = isAudio ? 'AUDIO' : methods.find((name) => text.includes(`${name} rtsp`))
    const cseq = Number(/CSeq: (\d+)/.exec(text)?.[1] ?? 0)
    if (method === 'PLAY') play(serialize(script.replies.PLAY, cseq))
    else if (method) deliver(serialize(script.replies[method], cseq))
    else deliver(Buffer.from(`RTSP/1.0 200 OK\r\nCSeq: ${cseq}\r\n\r\n`))
  }

  function play(reply: Buffer): void {
    const media = script.frames.map(frameBytes)
    deliver(Buffer.concat(script.early ? [...media, reply] : [reply, ...media]))
    if (script.ending === 'end') peer.push(null)
    if (script.ending === 'reset') peer.destroy(new Error('reset'))
  }

  function deliver(bytes: Buffer): void {
    // Only the first bytes are sent in short chunks, because one-byte chunks for all bytes are too slow.
    const short = Math.min(bytes.length, script.chunkBytes * 200)
    for (let at = 0; at < short && !peer.destroyed; ) {
      const next = Math.min(short, at + 1 + random.int(script.chunkBytes))
      peer.push(Buffer.from(bytes.subarray(at, next)))
      at = next
    }
    for (let at = short; at < bytes.length && !peer.destroyed; at += 65_536) peer.push(bytes.subarray(at, at + 65_536))
  }

  return peer
}

function serialize(reply: ScriptedReply, cseq: number): Buffer {
  const lines = [reply.status]
  if (reply.cseq !== 'absent') lines.push(`CSeq: ${reply.cseq === 'same' ? cseq : cseq + 7}`)
  for (const [name, value] of reply.headers) lines.push(`${name}: ${value}`)
  if (reply.body.length > 0 || reply.length !== null) lines.push(`Content-Length: ${reply.length ?? reply.body.length}`)
  const head = Buffer.from(`${lines.join(reply.lineEnd)}${reply.lineEnd}${reply.lineEnd}`, 'latin1')
  return Buffer.concat(Array.from({ length: reply.times }, () => Buffer.concat([reply.before, head, reply.body])))
}

function frameBytes({ channel, data, length }: ScriptedFrame): Buffer {
  if (length !== null && length < 0) return data
  const header = Buffer.from([0x24, channel, 0, 0])
  header.writeUInt16BE(length ?? data.length, 2)
  return Buffer.concat([header, data])
}
