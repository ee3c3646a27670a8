import { AV_LOG_QUIET } from 'node-av/constants'
import { type CodecParameters, Log, Packet } from 'node-av/lib'
import { annexB, codecParametersOf } from './codec-parameters.ts'
import { createDecoder } from './decode.ts'
import { createVideoFrame } from './frame.ts'
import type { Mask } from './mask.ts'
import { startCodeFormat } from './nal-units.ts'
import { stampPacket } from './packet.ts'
import type { RingGop } from './readers/ring.ts'
import { frameFromRgb } from './rgb-frame.ts'

const PICTURES = 7
/** Width of one picture, in pixels. */
const WIDTH = 160
/** A portrait camera would make the strip too large. */
const MAX_HEIGHT = 280
const QUALITY = 70
const RGB_BYTES = 3

/**
 * A JPEG with up to seven pictures side by side, from the keyframes of `gops`, in order. Only keyframes are decoded.
 * null: none can be decoded.
 */
export async function makeStrip(gops: readonly RingGop[], mask: Mask | null): Promise<Buffer | null> {
  Log.setLevel(AV_LOG_QUIET)
  const count = Math.min(PICTURES, gops.length)
  const tiles: Tile[] = []
  for (let i = 0; i < count; i++) {
    const gop = gops[count === 1 ? 0 : Math.round((i * (gops.length - 1)) / (count - 1))]
    const tile = gop && (await decodeTile(gop, tiles[0]?.height ?? null, mask))
    if (tile) tiles.push(tile)
  }
  const height = tiles[0]?.height
  return height === undefined ? null : await join(tiles, height)
}

interface Tile {
  readonly rgb: Buffer
  readonly height: number
}

/** `height`: of the other pictures; null: this is the first one. */
async function decodeTile(
  { parameters, packets }: RingGop,
  height: number | null,
  mask: Mask | null,
): Promise<Tile | null> {
  const { codec, parameterSets, split } = parameters
  const nals = packets[0] && split(packets[0].data)
  if ((codec !== 'h264' && codec !== 'h265') || !nals) return null
  const codecpar: CodecParameters = codecParametersOf(codec, parameterSets)
  const packet = new Packet()
  packet.alloc()
  const native = () => codecpar
  const decoder = await createDecoder({ codec, codecLabel: null, parameterSets, split: startCodeFormat.split, native })
  let tile: Tile | null = null
  try {
    if ('failure' in decoder) return null
    packet.data = annexB(nals)
    packet.isKeyframe = true
    for (const input of [stampPacket(packet, 0), null])
      await decoder.decode(input, async (frame) => {
        if (tile !== null) return
        const own = mask ? await mask.cover(frame) : frame.clone()
        if (own === null) return
        const held = createVideoFrame(own, 0)
        try {
          const tall = height ?? Math.min(MAX_HEIGHT, Math.max(1, Math.round((own.height * WIDTH) / own.width)))
          tile = { rgb: await held.frame.toPacked('rgb', WIDTH, tall), height: tall }
        } finally {
          await held.release()
        }
      })
    return tile
  } finally {
    if (!('failure' in decoder)) decoder.close()
    packet.free()
    codecpar.free()
  }
}

async function join(tiles: readonly Tile[], height: number): Promise<Buffer> {
  const rowBytes = WIDTH * RGB_BYTES
  const rgb = Buffer.alloc(rowBytes * tiles.length * height)
  for (const [i, tile] of tiles.entries())
    for (let row = 0; row < height; row++)
      tile.rgb.copy(rgb, (row * tiles.length + i) * rowBytes, row * rowBytes, (row + 1) * rowBytes)
  const held = frameFromRgb(rgb, WIDTH * tiles.length, height, 0)
  try {
    return await held.frame.toJpeg({ quality: QUALITY })
  } finally {
    await held.release()
  }
}
