import { fileURLToPath } from 'node:url'
import { createConnection } from '@vigia/video/connection'
import { copyGops } from '@vigia/video/encode/copy-gops'
import { createMask, type Mask } from '@vigia/video/mask'
import { createRing } from '@vigia/video/readers/ring'
import { createStreamReader } from '@vigia/video/stream-reader'
import { MASKS } from './flat-parts.ts'

export interface Cost {
  readonly stream: string
  /** CPU ms to cover one analysed picture. */
  readonly coverMs: number
  /** CPU s to copy the pictures of one second: the cost of a watched stream, in cores. */
  readonly copyCores: number
}

const CLIP_S = 12
const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

async function decodeMs(url: string, mask: Mask | null): Promise<{ ms: number; pictures: number }> {
  const since = process.cpuUsage()
  let pictures = 0
  const onFrame = () => {
    pictures += 1
  }
  await createStreamReader({ url, mask }).run({ onInfo: () => {}, onFrame }, new AbortController().signal)
  return { ms: cpuMs(since), pictures }
}

async function costOf(stream: string): Promise<Cost> {
  const url = fileURLToPath(new URL(`../../../dvr-simulator/footage/${stream}.mp4`, import.meta.url))
  const mask = createMask(MASKS)
  // The first run loads the libraries.
  await decodeMs(url, null)
  const [plain, covered] = [await decodeMs(url, null), await decodeMs(url, mask)]
  const ring = createRing({ spanMs: 1000 * CLIP_S, maxBytes: 64 * 1024 * 1024 })
  const connection = createConnection({ url })
  connection.attach(ring, { awaited: true })
  await connection.run(new AbortController().signal)
  const gops = ring.cut(0)
  const times = gops.flatMap(({ packets }) => packets.map(({ timeMs }) => timeMs))
  const since = process.cpuUsage()
  await copyGops(gops, Number.MAX_SAFE_INTEGER, mask)
  const seconds = (Math.max(...times) - Math.min(...times)) / 1000
  return {
    stream,
    coverMs: Math.max(0, covered.ms - plain.ms) / covered.pictures,
    copyCores: cpuMs(since) / 1000 / seconds,
  }
}

/** Costs of masks for H.264 of two sizes, 10 pictures a second. */
export const measureCosts = async (): Promise<Cost[]> => [
  await costOf('campus-a-sub'),
  await costOf('campus-a-principal'),
]
