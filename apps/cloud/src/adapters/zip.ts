import { crc32 } from 'node:zlib'

/** One file. `name`: relative path with `/`, ASCII. */
export type ZipEntry = ZipBytes | ZipStream

export interface ZipBytes {
  readonly name: string
  readonly bytes: Uint8Array
}

/** A file that is too large for the memory. Its size and CRC-32 stand before its content, so it is read twice. */
export interface ZipStream {
  readonly name: string
  readonly size: number
  readonly crc: number
  readonly chunks: () => AsyncIterable<Uint8Array>
}

/** Version 2.0 of the format, and bit 11: names are UTF-8 (APPNOTE 6.3.10, sections 4.4.3 and 4.4.4). */
const VERSION = 20
const UTF8_NAMES = 0x08_00
/** 1 January 1980, the zero of the format: times of the events are in the files. */
const DOS_DATE = 0x00_21
/** Largest sizes and offsets without ZIP64. */
const MAX_BYTES = 0xff_ff_ff_ff
const MAX_ENTRIES = 0xff_ff

/**
 * Yields a ZIP archive entry by entry, stored without compression: JPEG files do not become smaller.
 * @throws Error for an archive that needs ZIP64, and for a stream of another length than its `size`
 */
export async function* zipOf(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array, void, void> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const entry of entries) {
    const size = 'bytes' in entry ? entry.bytes.length : entry.size
    const fields = fieldsOf(entry, size)
    const local = Buffer.concat([signature(0x04_03_4b_50), fields.common, fields.name])
    directory.push(Buffer.concat([signature(0x02_01_4b_50), short(VERSION), fields.common, tail(offset), fields.name]))
    offset += local.length + size
    if (offset > MAX_BYTES || directory.length > MAX_ENTRIES) throw new Error('the archive is too large')
    yield local
    if ('bytes' in entry) yield entry.bytes
    else yield* wholeStream(entry)
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const count = short(directory.length)
  yield Buffer.concat([
    ...directory,
    signature(0x06_05_4b_50),
    short(0),
    short(0),
    count,
    count,
    long(size),
    long(offset),
    short(0),
  ])
}

async function* wholeStream({ name, size, chunks }: ZipStream): AsyncGenerator<Uint8Array, void, void> {
  let left = size
  for await (const chunk of chunks()) {
    left -= chunk.length
    if (left < 0) break
    yield chunk
  }
  if (left !== 0) throw new Error(`${name} changed while it was archived`)
}

const short = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
const long = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const signature = long

/** Fields that the local header and the directory share, up to the length of the extra field. */
function fieldsOf(entry: ZipEntry, size: number) {
  const encoded = Buffer.from(entry.name)
  const crc = 'bytes' in entry ? crc32(entry.bytes) : entry.crc
  const common = Buffer.concat([
    short(VERSION),
    short(UTF8_NAMES),
    short(0),
    short(0),
    short(DOS_DATE),
    long(crc),
    long(size),
    long(size),
    short(encoded.length),
    short(0),
  ])
  return { name: encoded, common }
}

/** End of a directory entry: comment, disk, attributes, and the offset of the local header. */
const tail = (offset: number): Buffer => Buffer.concat([short(0), short(0), short(0), long(0), long(offset)])
