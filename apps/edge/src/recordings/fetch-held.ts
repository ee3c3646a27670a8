import type { Span } from '@vigia/rtsp/playback-urls'
import type { Pulled } from '@vigia/rtsp/pull-recording'
import { type ReadMedia, readMedia } from '@vigia/video/mp4/read-media'
import type { MinuteFile, MinuteFiles } from '../continuous/minute-files.ts'
import { type Fetched, type RecordingSink, type WriteOptions, writeRecording } from './fetch-recording.ts'

export interface HeldOptions extends WriteOptions {
  readonly cameraId: number
  readonly files: Pick<MinuteFiles, 'list' | 'read'>
}

const TICKS_PER_MS = 90
/** A longer time without pictures is a gap, which ends the file as one of a recorder does. */
const LONGEST_GAP_MS = 1_000

/** Writes a part of the edge's own recordings to an MP4 file. It begins with the last keyframe before the part. */
export async function fetchHeld(options: HeldOptions): Promise<Fetched> {
  const [first] = filesIn(options.files, options.cameraId, options.span)
  const uncertainMs = first?.uncertainMs ?? null
  const fetched = await writeRecording({ ...options, offsetMs: 0 }, (sink) => play(options, sink, uncertainMs))
  return fetched.ok && uncertainMs !== null ? { ok: true, file: { ...fetched.file, uncertainMs } } : fetched
}

const filesIn = (files: HeldOptions['files'], cameraId: number, { fromMs, toMs }: Span): readonly MinuteFile[] =>
  files.list(cameraId).filter(({ startMs, durationMs }) => startMs < toMs && startMs + durationMs > fromMs)

/** A file has one time: pictures of another uncertainty end it like a gap. */
async function play(
  { cameraId, files, span }: HeldOptions,
  sink: RecordingSink,
  uncertainMs: number | null,
): Promise<Pick<Pulled, 'end'>> {
  /** End of the previous file; null: none yet. */
  let endMs: number | null = null
  for (const file of filesIn(files, cameraId, span)) {
    if (file.uncertainMs !== uncertainMs) return { end: 'short' }
    const data = await files.read(file)
    const media = data && readMedia(data)
    if (!media) continue
    if (endMs !== null && Math.abs(file.startMs - endMs) > LONGEST_GAP_MS) return { end: 'short' }
    const { codec, parameterSets } = media
    sink.onParameters({ codec, parameterSets })
    // The clock of a file may differ from that of the previous one by the jitter of the network.
    endMs = await playFile(media, endMs ?? file.startMs, span, sink)
    if (sink.signal.aborted) return { end: 'aborted' }
  }
  return { end: endMs !== null && endMs >= span.toMs - LONGEST_GAP_MS ? 'complete' : 'short' }
}

/** Passes on the pictures of a file that begins at `startMs`, up to the end of the span. Returns the file's end. */
async function playFile({ parts }: ReadMedia, startMs: number, { fromMs, toMs }: Span, sink: RecordingSink) {
  const firstTicks = parts[0]?.startTicks ?? 0
  const msOf = (ticks: number) => startMs + (ticks - firstTicks) / TICKS_PER_MS
  const first = parts.findLastIndex((part) => part.samples()[0]?.keyframe === true && msOf(part.startTicks) <= fromMs)
  for (const part of parts.slice(Math.max(0, first))) {
    for (const { keyframe, nals, ptsTicks } of part.samples()) {
      const atMs = msOf(ptsTicks)
      if (atMs < toMs && !sink.signal.aborted)
        sink.onAccessUnit({ keyframe, nals, ticks: ptsTicks, skippedTicks: 0, replayUtcMs: atMs })
    }
    await sink.drain()
  }
  return startMs + parts.reduce((sum, { durationTicks }) => sum + durationTicks, 0) / TICKS_PER_MS
}
