import { type FileHandle, open } from 'node:fs/promises'
import type { TrackConfig } from './codec-config.ts'
import { type CodedPicture, fileType, MDAT_HEADER_BYTES, mdatHeader, moovOf, type SampleEntry } from './progressive.ts'
import { sampleData } from './sample.ts'
import { createSampleTimes, MOST_REORDERED, TIMESCALE, type Timed } from './sample-times.ts'

/** Writes the pictures of one track to an MP4 file as they arrive. The index follows the pictures. */
export interface RecordingFile {
  /** Adds a picture in decoding order. The first one must be a keyframe. */
  add(picture: CodedPicture): void
  /** Bytes of the pictures so far. */
  readonly bytes: number
  /** Those of `bytes` that wait for the disk. */
  readonly waitingBytes: number
  /** Resolves when no picture waits for the disk, or writing has failed. */
  drain(): Promise<void>
  /** Resolves when the file is complete and durable; null: it has no picture. Rejects with an error of the disk. */
  finish(): Promise<{ readonly durationMs: number } | null>
  /** Closes an incomplete file, which the caller removes. */
  abandon(): Promise<void>
}

type Pending = Omit<SampleEntry, 'duration' | 'offset'>

/** Creates the file, or replaces an earlier one. The size of the pictures must stay below 4 GiB. */
export function createRecordingFile(path: string, config: TrackConfig): RecordingFile {
  const opened = open(path, 'w', 0o600)
  const times = createSampleTimes<Pending>({ depth: MOST_REORDERED })
  const samples: SampleEntry[] = []
  const header = fileType()
  const dataOffset = header.length + MDAT_HEADER_BYTES
  let bytes = 0
  let waitingBytes = 0
  let writing: Promise<unknown> = opened

  const write = (data: Buffer, at: number) => {
    writing = writing.then(async () => writeAll(await opened, data, at))
    // `finish` reports the error.
    writing.catch(() => {})
    return writing
  }
  const keep = (timed: readonly Timed<Pending>[]) => {
    for (const { item, duration, offset } of timed) samples.push({ ...item, duration, offset })
  }

  return {
    add({ keyframe, timeMs, nals }) {
      const data = sampleData(config.codec, nals, { keyframe, known: config.parameterSets })
      if (!data) return
      keep(times.push({ keyframe, bytes: data.length }, Math.round((timeMs * TIMESCALE) / 1000)))
      const written = write(data, dataOffset + bytes)
      bytes += data.length
      waitingBytes += data.length
      written.then(
        () => {
          waitingBytes -= data.length
        },
        () => {},
      )
    },
    get bytes() {
      return bytes
    },
    get waitingBytes() {
      return waitingBytes
    },
    async drain() {
      await writing.catch(() => {})
    },
    async finish() {
      try {
        keep(times.flush())
        write(moovOf(config, samples, dataOffset), dataOffset + bytes)
        await write(Buffer.concat([header, mdatHeader(bytes)]), 0)
        await (await opened).sync()
        if (samples.length === 0) return null
        return { durationMs: samples.reduce((sum, { duration }) => sum + duration, 0) / (TIMESCALE / 1000) }
      } finally {
        await close(opened)
      }
    },
    async abandon() {
      await writing.catch(() => {})
      await close(opened)
    },
  }
}

async function writeAll(file: FileHandle, data: Buffer, at: number): Promise<void> {
  for (let done = 0; done < data.length; ) {
    const { bytesWritten } = await file.write(data, done, data.length - done, at + done)
    done += bytesWritten
  }
}

const close = (opened: Promise<FileHandle>): Promise<void> => opened.then((file) => file.close()).catch(() => {})
