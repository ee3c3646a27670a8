import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startProgram } from '@vigia/testing/program'
import { createConnection } from '@vigia/video/connection'
import { makeClip } from '@vigia/video/mp4/clip'
import { createPackager } from '@vigia/video/mp4/packager'
import type { PacketReader } from '@vigia/video/packet-reader'
import { createRing, type Ring } from '@vigia/video/readers/ring'
import { createStreamReader } from '@vigia/video/stream-reader'
import { makeStrip } from '@vigia/video/strip'
import { createVideoWriter } from '@vigia/video/testing/video-writer'

const campus = fileURLToPath(new URL('../../../dvr-simulator/footage/campus-a-principal.mp4', import.meta.url))
const VIDEO = { width: 1280, height: 720, fps: 25, bitRate: 2_000_000 } as const
const SECONDS = 10
/** Connections open within this time. */
const SETTLE_MS = 3_000

/** The camera's G.711 becomes AAC, beside parts of 250 ms. */
export const WITH_AUDIO = 'with G.711'
/** Readers of the packets, from the cheapest one on. */
export const subjects = ['demuxer', 'ring of 10 s', 'parts of 500 ms', 'parts of 250 ms', WITH_AUDIO] as const
type Subject = (typeof subjects)[number]

export interface PackagerCost {
  readonly subject: Subject
  /** CPU seconds per second and camera. */
  readonly cores: number
  readonly partsPerSecond: number
  /** CPU of cutting one clip from the ring and of its strip, in ms, and its bytes; null: without a ring. */
  readonly clip: { readonly cutMs: number; readonly stripMs: number; readonly bytes: number } | null
}

/** Packages simulated cameras of 720p, 25 pictures a second and 2 Mbit/s in this process. `rounds` of each subject. */
export async function measurePackager(
  cameras: number,
  seconds: number,
  rounds: number,
  onProgress: (fraction: number, title: string) => void,
): Promise<PackagerCost[]> {
  const dir = await mkdtemp(join(tmpdir(), 'vigia-empacotador-'))
  try {
    const footage = join(dir, 'campus.mkv')
    await writeFootage(footage)
    const recorder = await startProgram({
      entry: 'apps/dvr-simulator/src/main.ts',
      args: ['--porta', '0', '--audio', 'pcma', ...Array.from({ length: cameras }, () => ['--canal', footage]).flat()],
      env: { VIGIA_SIM_USUARIO: 'vigia', VIGIA_SIM_SENHA: 'carga' },
    })
    const url = (canal: number) =>
      `rtsp://vigia:carga@127.0.0.1:${recorder.porta}/cam/realmonitor?channel=${canal}&subtype=0`
    try {
      const costs: PackagerCost[] = []
      for (let round = 0; round < rounds; round++)
        for (const subject of subjects) {
          onProgress(costs.length / (rounds * subjects.length), subject)
          costs.push(await measureSubject(subject, cameras, seconds, url))
        }
      return costs
    } finally {
      await recorder.stop()
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

async function measureSubject(
  subject: Subject,
  cameras: number,
  seconds: number,
  url: (canal: number) => string,
): Promise<PackagerCost> {
  const stop = new AbortController()
  let parts = 0
  const audio = subject === WITH_AUDIO
  const rings: Ring[] = []
  const reader = (): PacketReader => {
    if (subject === 'demuxer') return { packet: () => {} }
    if (subject === 'ring of 10 s') {
      const ring = createRing({ spanMs: 10_000, maxBytes: 24 * 1024 * 1024 })
      rings.push(ring)
      return ring
    }
    const partMs = subject === 'parts of 500 ms' ? 500 : 250
    return createPackager({ partMs, audio, onInit: () => {}, onPart: () => void parts++ })
  }
  const runs = Array.from({ length: cameras }, (_, i) => {
    const connection = createConnection({ url: url(i + 1), audio })
    connection.attach(reader())
    return connection.run(stop.signal)
  })
  await delay(SETTLE_MS)
  const [cpu, at, before] = [process.cpuUsage(), performance.now(), parts]
  await delay(seconds * 1000)
  const { user, system } = process.cpuUsage(cpu)
  const elapsedS = (performance.now() - at) / 1000
  const partsPerSecond = (parts - before) / elapsedS / cameras
  const clip = rings[0] ? await measureClip(rings[0]) : null
  stop.abort()
  await Promise.all(runs)
  return { subject, cores: (user + system) / 1e6 / elapsedS / cameras, partsPerSecond, clip }
}

async function measureClip(ring: Ring): Promise<PackagerCost['clip']> {
  const cpuMs = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  const begun = cpuMs()
  const clip = makeClip(ring.cut(0), { atMs: 0, toMs: Number.MAX_SAFE_INTEGER })
  const cutMs = cpuMs() - begun
  await makeStrip(clip?.gops ?? [], null)
  return { cutMs, stripMs: cpuMs() - begun - cutMs, bytes: clip?.data.length ?? 0 }
}

async function writeFootage(path: string): Promise<void> {
  const writer = await createVideoWriter({ path, ...VIDEO })
  const stop = new AbortController()
  let written = 0
  await createStreamReader({ url: campus }).run(
    {
      onInfo: () => {},
      async onFrame(frame) {
        const rgb = await frame.toPacked('rgb', VIDEO.width, VIDEO.height)
        // The campus has fewer pictures a second.
        for (; (written * 1000) / VIDEO.fps < frame.timestampMs + 100; written++)
          await writer.write(rgb, (written * 1000) / VIDEO.fps)
        if (written >= SECONDS * VIDEO.fps) stop.abort()
      },
    },
    stop.signal,
  )
  await writer.close()
}
