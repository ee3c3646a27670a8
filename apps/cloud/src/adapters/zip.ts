import { crc32 } from 'node:zlib'

export interface ZipEntry {
  /** Relative path with `/`, ASCII. */
  readonly name: string
  readonly bytes: Uint8Array
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
 * @throws Error for an archive that needs ZIP64
 */
export async function* zipOf(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array, void, void> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const { name, bytes } of entries) {
    const fields = fieldsOf(name, bytes)
    const local = Buffer.concat([signature(0x04_03_4b_50), fields.common, fields.name])
    directory.push(Buffer.concat([signature(0x02_01_4b_50), short(VERSION), fields.common, tail(offset), fields.name]))
    offset += local.length + bytes.length
    if (offset > MAX_BYTES || directory.length > MAX_ENTRIES) throw new Error('the archive is too large')
    yield local
    yield bytes
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const count = short(directory.length)
  yield Buffer.concat([
    ...directory,
    ...[signature(0x06_05_4b_50), short(0), short(0), count, count, long(size), long(offset), short(0)],
  ])
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
function fieldsOf(name: string, bytes: Uint8Array) {
  const encoded = Buffer.from(name)
  const common = Buffer.concat([
    ...[short(VERSION), short(UTF8_NAMES), short(0), short(0), short(DOS_DATE), long(crc32(bytes))],
    ...[long(bytes.length), long(bytes.length), short(encoded.length), short(0)],
  ])
  return { name: encoded, common }
}

/** End of a directory entry: comment, disk, attributes, and the offset of the local header. */
const tail = (offset: number): Buffer => Buffer.concat([short(0), short(0), short(0), long(0), long(offset)])
