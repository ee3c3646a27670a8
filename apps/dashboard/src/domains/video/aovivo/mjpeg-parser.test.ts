import { describe, expect, it } from 'vitest'
import { createMjpegParser, type TileHeader } from './mjpeg-parser.ts'

/** Converts each character to one byte. */
const bytesOf = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))
const textOf = (bytes: Uint8Array) => String.fromCharCode(...bytes)

/** A body as the cloud sends it: the boundary follows each part. */
const bodyOf = (...frames: readonly string[]) => `--quadro\r\n${frames.map(partOf).join('')}`
const partOf = (frame: string) =>
  `Content-Type: image/jpeg\r\nContent-Length: ${frame.length}\r\n\r\n${frame}\r\n--quadro\r\n`

describe('the MJPEG parser', () => {
  it.each([1, 2, 7, 1000])('returns whole frames from chunks of %i bytes', (size) => {
    // The first frame contains an empty line and a boundary.
    const frames = ['\xff\xd8\r\n\r\n--quadro\r\nContent-Length: 3\r\n\r\n\xff\xd9', '\x01', 'abc']
    const seen: string[] = []
    const parser = createMjpegParser((frame) => seen.push(textOf(frame)))
    const bytes = bytesOf(bodyOf(...frames))
    for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size))
    expect(seen).toEqual(frames)
  })

  it('reads the camera and the movement of each part of a mosaic', () => {
    const seen: [string, TileHeader | null][] = []
    const parser = createMjpegParser((frame, _detections, tile) => seen.push([textOf(frame), tile]))
    const part = (camera: string, frame: string) => partOf(frame).replace('\r\n\r\n', `${camera}\r\n\r\n`)
    const moving = part('\r\nX-Camera-Id: 3\r\nX-Movimento: 1', 'f')
    const body = `--quadro\r\n${part('\r\nX-Camera-Id: 12', 'abc')}${moving}${part('', 'de')}`
    for (const byte of bytesOf(body)) parser.push(Uint8Array.of(byte))
    expect(seen).toEqual([
      ['abc', { cameraId: 12, isMoving: false }],
      ['f', { cameraId: 3, isMoving: true }],
      ['de', null],
    ])
  })

  it('returns a frame at its last byte, before the next frame begins', () => {
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
    ['none', '', null],
    ['an empty list', 'X-Caixas: []\r\n', []],
    [
      'one',
      'X-Caixas: [["person",0.87,0.1,0.2,0.3,0.4]]\r\n',
      [{ rotulo: 'person', confianca: 0.87, x: 0.1, y: 0.2, w: 0.3, h: 0.4 }],
    ],
    ['one outside the frame', 'x-caixas: [["person",0.87,1.1,0.2,0.3,0.4],3,["a"]]\r\n', []],
    ['no JSON', 'X-Caixas: [[\r\n', null],
    ['another value', 'X-Caixas: {"a":1}\r\n', null],
  ])('returns the detections of a frame: %s', (_name, header, expected) => {
    const seen: unknown[] = []
    const parser = createMjpegParser((_frame, detections) => seen.push(detections))
    parser.push(
      bytesOf(`--quadro\r\nContent-Type: image/jpeg\r\n${header}Content-Length: 3\r\n\r\nabc\r\n--quadro\r\n`),
    )
    parser.push(bytesOf(partOf('abc')))
    expect(seen).toEqual([expected, null])
  })

  it.each([
    ['no length', '--quadro\r\nContent-Type: image/jpeg\r\n\r\nabc'],
    ['an empty frame', '--quadro\r\nContent-Length: 0\r\n\r\n'],
    ['a frame beyond all measure', '--quadro\r\nContent-Length: 99999999999\r\n\r\n'],
    ['no headers at all', 'x'.repeat(5000)],
  ])('rejects a stream with %s', (_name, text) => {
    expect(() => createMjpegParser(() => {}).push(bytesOf(text))).toThrow('live stream')
  })
})
