import { closeSync, openSync, readSync, statSync } from 'node:fs'

const HEADER = 32
const FRAME_HEADER = 24
/** Magic of a log whose checksums read words in big-endian order; that of little-endian order is one less. */
const BIG_ENDIAN = 0x377f0683

/**
 * Counts the frames of the write-ahead log (https://sqlite.org/fileformat2.html#walformat) from the first damaged one
 * on. SQLite ignores them at its start and reports nothing. Frames of an earlier log have other salts and do not count.
 * @returns 0: the log is whole, or there is none
 */
export function countLostFrames(databaseFile: string): number {
  const file = `${databaseFile}-wal`
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size <= HEADER) return 0
  const handle = openSync(file, 'r')
  try {
    const header = Buffer.alloc(HEADER)
    readSync(handle, header, 0, HEADER, 0)
    const sum = createSum(header.readUInt32BE(0) === BIG_ENDIAN)
    sum.add(header.subarray(0, 24))
    if (!sum.equals(header, 24)) return 0
    const pageSize = header.readUInt32BE(8)
    const frame = Buffer.alloc(FRAME_HEADER + pageSize)
    let lost = 0
    for (let at = HEADER; at + frame.length <= size; at += frame.length) {
      readSync(handle, frame, 0, frame.length, at)
      const isCurrent = frame.compare(header, 16, 24, 8, 16) === 0
      if (lost === 0) {
        sum.add(frame.subarray(0, 8))
        sum.add(frame.subarray(FRAME_HEADER))
        if (isCurrent && !sum.equals(frame, 16)) lost = 1
        else if (!isCurrent) return 0
      } else if (isCurrent) lost += 1
    }
    return lost
  } finally {
    closeSync(handle)
  }
}

/** The checksum of a log, which continues from frame to frame. */
function createSum(bigEndian: boolean) {
  let [a, b] = [0, 0]
  return {
    add(bytes: Buffer): void {
      const word = (at: number) => (bigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at))
      for (let at = 0; at < bytes.length; at += 8) {
        a = (a + word(at) + b) >>> 0
        b = (b + word(at + 4) + a) >>> 0
      }
    },
    equals: (bytes: Buffer, at: number): boolean => bytes.readUInt32BE(at) === a && bytes.readUInt32BE(at + 4) === b,
  }
}
