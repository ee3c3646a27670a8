import { describe, expect, it } from 'vitest'
import { createMjpegParser } from './mjpeg-parser.ts'

/** One character, one byte. */
const bytesOf = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))
const textOf = (bytes: Uint8Array) => String.fromCharCode(...bytes)

/** A body as the central makes it: the boundary stands behind each part. */
const bodyOf = (...frames: readonly string[]) =>
  `--quadro\r\n${frames.map((frame) => `Content-Type: image/jpeg\r\nContent-Length: ${frame.length}\r\n\r\n${frame}\r\n--quadro\r\n`).join('')}`

describe('frames of a live stream', () => {
  it.each([1, 2, 7, 1000])('come out whole when the network makes pieces of %i bytes', (size) => {
    // What looks like an empty line and like a boundary stands inside a frame, too.
    const frames = ['\xff\xd8\r\n\r\n--quadro\r\nContent-Length: 3\r\n\r\n\xff\xd9', '\x01', 'abc']
    const seen: string[] = []
    const parser = createMjpegParser((frame) => seen.push(textOf(frame)))
    const bytes = bytesOf(bodyOf(...frames))
    for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size))
    expect(seen).toEqual(frames)
  })

  it('are shown when they are whole, without waiting for the next one', () => {
    const seen: string[] = []
    const parser = createMjpegParser((frame) => seen.push(textOf(frame)))
    const body = bodyOf('abc')
    const last = body.indexOf('abc') + 2
    parser.push(bytesOf(body.slice(0, last)))
    expect(seen).toEqual([])
    parser.push(bytesOf(body.slice(last, last + 1)))
    expect(seen).toEqual(['abc'])
  })

  it.each([
    ['no length', '--quadro\r\nContent-Type: image/jpeg\r\n\r\nabc'],
    ['an empty frame', '--quadro\r\nContent-Length: 0\r\n\r\n'],
    ['a frame beyond all measure', '--quadro\r\nContent-Length: 99999999999\r\n\r\n'],
    ['no headers at all', 'x'.repeat(5000)],
  ])('are refused with %s', (_name, text) => {
    expect(() => createMjpegParser(() => {}).push(bytesOf(text))).toThrow('live stream')
  })
})
