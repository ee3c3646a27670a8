import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { median } from '@vigia/testing/stats'
import { parsePlaylist, type Segment } from './parse-playlist.ts'

/** The live HLS of the cloud beside `ffmpeg -f hls` on the same stream. */
export interface Compared {
  readonly segments: number
  /** Messages of ffprobe, and violations of the playlist. */
  readonly faults: readonly string[]
  /** Age of the newest picture in our playlist, which has parts, median, ms. */
  readonly newestMs: number
  /** From the end of a segment to its entry in the playlist, median, ms. */
  readonly oursMs: number
  readonly ffmpegMs: number
  /** Cores. */
  readonly edgeCores: number
  readonly cloudCores: number
  readonly ffmpegCores: number
}

export interface CompareOptions {
  /** Address of our playlist. */
  readonly playlist: string
  /** RTSP address that ffmpeg reads. */
  readonly rtsp: string
  /** When the recorder sent the first picture to its newest client, epoch ms. */
  sentAt(): number
  readonly folder: string
  readonly minutes: number
  readonly pids: { readonly edge: number; readonly cloud: number }
}

const POLL_MS = 250
const CLOCK_TICKS_S = 100
const probe = promisify(execFile)

/** Reads both playlists for some minutes, and decodes each of our segments whole. */
export async function compareHls({ playlist, rtsp, sentAt, folder, minutes, pids }: CompareOptions): Promise<Compared> {
  const own = join(folder, 'ffmpeg')
  mkdirSync(own)
  const list = join(own, 'lista.m3u8')
  const ffmpeg = startFfmpeg(rtsp, list)
  try {
    const newest: number[] = []
    const checker = createChecker(playlist, folder)
    const other = createArrivals(sentAt)
    const cores = measureCores({ ...pids, ffmpeg: ffmpeg.pid ?? 0 })
    for (const end = Date.now() + minutes * 60_000; Date.now() < end; await sleep(POLL_MS)) {
      const listed = parsePlaylist(await readFile(list, 'utf8').catch(() => ''))
      other.see(listed.segments, Date.now())
      const text = await (await fetch(playlist)).text()
      const now = Date.now()
      newest.push(now - parsePlaylist(text).endMs)
      await checker.check(text, now)
    }
    const { edge, cloud, ffmpeg: ffmpegCores } = cores()
    await checker.decoded()
    return {
      segments: checker.count(),
      faults: checker.faults,
      newestMs: median(newest),
      oursMs: median(checker.delays),
      ffmpegMs: median(other.delays),
      edgeCores: edge,
      cloudCores: cloud,
      ffmpegCores,
    }
  } finally {
    ffmpeg.kill('SIGKILL')
  }
}

function startFfmpeg(rtsp: string, list: string): ChildProcess {
  const hls = ['-f', 'hls', '-hls_time', '2', '-hls_segment_type', 'fmp4', '-hls_flags', 'delete_segments']
  return spawn('ffmpeg', ['-v', 'error', '-rtsp_transport', 'tcp', '-i', rtsp, '-an', '-c', 'copy', ...hls, list], {
    stdio: 'ignore',
  })
}

/** When the segments of ffmpeg appear. Their times count from its first picture. */
function createArrivals(startedAt: () => number) {
  const delays: number[] = []
  let [next, totalMs] = [0, 0]
  return {
    delays,
    see(segments: readonly Segment[], now: number): void {
      for (const { sequence, seconds } of segments) {
        if (sequence < next) continue
        next = sequence + 1
        totalMs += 1000 * seconds
        delays.push(now - startedAt() - totalMs)
      }
    },
  }
}

function createChecker(playlist: string, folder: string) {
  const faults: string[] = []
  let next: number | null = null
  let count = 0
  const inits = new Map<string, Buffer>()
  const delays: number[] = []
  const load = async (name: string) => {
    const answer = await fetch(new URL(name, playlist))
    if (!answer.ok) faults.push(`${name}: status ${answer.status}`)
    return Buffer.from(await answer.arrayBuffer())
  }
  /** The decoder may be slower than the stream: segments are loaded while they are listed, and decoded in turn. */
  let decoded: Promise<void> = Promise.resolve()
  const decode = async (uri: string, segment: Buffer) => {
    const file = join(folder, 'segment.mp4')
    await writeFile(file, segment)
    const args = ['-v', 'warning', '-count_frames', '-show_entries', 'stream=nb_read_frames', '-of', 'csv=p=0', file]
    const { stdout, stderr } = await probe('ffprobe', args)
    if (stderr.trim() !== '' || !(Number.parseInt(stdout, 10) > 0))
      faults.push(`${uri}: ${stderr.trim() || 'no frames'}`)
  }
  const checkSegment = async ({ uri, init, seconds }: Segment) => {
    const header = inits.get(init) ?? (await load(init))
    inits.set(init, header)
    const segment = Buffer.concat([header, await load(uri)])
    if (seconds <= 0) faults.push(`${uri}: lasts ${seconds} s`)
    decoded = decoded
      .then(() => decode(uri, segment))
      .catch((error: unknown) => void faults.push(`${uri}: ${String(error)}`))
  }
  return {
    faults,
    delays,
    count: () => count,
    decoded: () => decoded,
    async check(text: string, now: number): Promise<void> {
      const { target, segments } = parsePlaylist(text)
      for (const segment of segments) {
        if (next !== null && segment.sequence < next) continue
        if (next !== null && segment.sequence > next) faults.push(`segments ${next} to ${segment.sequence} are missing`)
        if (Math.round(segment.seconds) > target) faults.push(`${segment.uri} is longer than the target`)
        // Those of the first list were complete before.
        if (next !== null) delays.push(now - segment.endMs)
        next = segment.sequence + 1
        count += 1
        await checkSegment(segment)
      }
    },
  }
}

/** Counts the CPU of processes with their descendants from now on. */
function measureCores<Name extends string>(pids: Readonly<Record<Name, number>>): () => Record<Name, number> {
  const names = Object.keys(pids) as Name[]
  const read = () => new Map(names.map((name) => [name, cpuSeconds(pids[name])]))
  const [before, startedAt] = [read(), performance.now()]
  return () => {
    const after = read()
    const elapsedS = (performance.now() - startedAt) / 1000
    const cores = names.map((name) => [name, ((after.get(name) ?? 0) - (before.get(name) ?? 0)) / elapsedS])
    return Object.fromEntries(cores) as Record<Name, number>
  }
}

function cpuSeconds(root: number): number {
  const rows = readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!Number.isInteger(pid)) return []
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      // Fields behind the name in parentheses: state, parent, …, utime (14), stime (15).
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return [{ pid, parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }]
    } catch {
      return []
    }
  })
  const ticksOf = (pid: number): number =>
    rows.reduce((sum, row) => sum + (row.pid === pid ? row.ticks : 0) + (row.parent === pid ? ticksOf(row.pid) : 0), 0)
  return ticksOf(root) / CLOCK_TICKS_S
}
