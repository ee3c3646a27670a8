import type { Caixa } from '@vigia/contracts/eventos'

/** Largest frame in bytes; larger than any frame of a camera. */
const MAX_FRAME = 10 * 1024 * 1024
/** Largest header of a part in bytes. */
const MAX_HEADERS = 4096

interface MjpegParser {
  push(bytes: Uint8Array): void
}

/** Objects of the last inference before the frame; null: the edge does not send them. */
export type FrameDetections = readonly Caixa[] | null

/** Camera of a part of a mosaic, and whether something moves in its picture. */
export interface TileHeader {
  readonly cameraId: number
  readonly isMoving: boolean
}

/**
 * Extracts the pictures from a multipart body (RFC 2046, 5.1.1) whose parts have a Content-Length. `push` accepts
 * chunks of any size and throws on a malformed body. `tile`: the headers `X-Camera-Id` and `X-Movimento` of the part;
 * null: no part of a mosaic.
 */
export function createMjpegParser(
  onFrame: (jpeg: Uint8Array<ArrayBuffer>, detections: FrameDetections, tile: TileHeader | null) => void,
): MjpegParser {
  let held = new Uint8Array(0)
  /** Length in bytes of the frame whose headers were read; null: headers follow. */
  let length: number | null = null
  let detections: FrameDetections = null
  let tile: TileHeader | null = null

  const take = (count: number): Uint8Array<ArrayBuffer> => {
    const taken = held.slice(0, count)
    held = held.slice(count)
    return taken
  }
  /** Consumes one header or frame from the buffer; false: more bytes are needed. */
  function step(): boolean {
    if (length !== null) {
      if (held.length < length) return false
      onFrame(take(length), detections, tile)
      length = null
      return true
    }
    const end = endOfHeaders(held)
    if (end === -1) {
      if (held.length > MAX_HEADERS) throw new Error('the live stream has no headers')
      return false
    }
    const headers = new TextDecoder('latin1').decode(take(end))
    length = frameLength(headers)
    detections = readDetections(headers)
    tile = readTile(headers)
    return true
  }
  return {
    push(bytes) {
      const joined = new Uint8Array(held.length + bytes.length)
      joined.set(held)
      joined.set(bytes, held.length)
      held = joined
      while (step());
    },
  }
}

/** Returns the offset behind the empty line; -1: the buffer contains none. */
function endOfHeaders(bytes: Uint8Array): number {
  for (let i = 0; i + 3 < bytes.length; i += 1) {
    if (bytes[i] === 13 && bytes[i + 1] === 10 && bytes[i + 2] === 13 && bytes[i + 3] === 10) return i + 4
  }
  return -1
}

function frameLength(headers: string): number {
  const length = Number(/^content-length:\s*(\d+)\s*$/im.exec(headers)?.[1] ?? Number.NaN)
  if (!(length > 0 && length <= MAX_FRAME)) throw new Error('a frame of the live stream has no valid length')
  return length
}

function readTile(headers: string): TileHeader | null {
  const camera = /^x-camera-id:\s*(\d+)\s*$/im.exec(headers)?.[1]
  return camera === undefined ? null : { cameraId: Number(camera), isMoving: /^x-movimento:\s*1\s*$/im.test(headers) }
}

const isFraction = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1

/** Reads `X-Caixas: [["person",0.87,0.1,0.2,0.3,0.4]]`. A malformed header counts as missing: the picture is valid. */
function readDetections(headers: string): FrameDetections {
  const text = /^x-caixas:(.*)$/im.exec(headers)?.[1]
  if (text === undefined) return null
  try {
    const detections: unknown = JSON.parse(text)
    return Array.isArray(detections) ? detections.flatMap(detectionOf) : null
  } catch {
    return null
  }
}

function detectionOf(one: unknown): Caixa[] {
  if (!Array.isArray(one)) return []
  const [rotulo, confianca, x, y, w, h] = one as unknown[]
  const known = typeof rotulo === 'string' && isFraction(confianca) && isFraction(x) && isFraction(y)
  return known && isFraction(w) && isFraction(h) ? [{ rotulo, confianca, x, y, w, h }] : []
}
