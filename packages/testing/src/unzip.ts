import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'

const DIRECTORY_END = 0x06_05_4b_50
const DIRECTORY_ENTRY = 0x02_01_4b_50
/** Lengths without names, extra fields and comments: end record, directory entry, local header. */
const END_BYTES = 22
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30

/**
 * Content of each file of a ZIP archive without compression and ZIP64 (APPNOTE 6.3.10, sections 4.3.7, 4.3.12, 4.3.16).
 * @throws Error for a wrong CRC-32, and for any other archive
 */
export function unzip(archive: Buffer): Record<string, Buffer> {
  let end = archive.length - END_BYTES
  while (end >= 0 && archive.readUInt32LE(end) !== DIRECTORY_END) end -= 1
  if (end < 0) throw new Error('no ZIP archive')
  const files: Record<string, Buffer> = {}
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const short = (offset: number) => archive.readUInt16LE(at + offset)
    const long = (offset: number) => archive.readUInt32LE(at + offset)
    const name = archive.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + short(28))
    if (long(0) !== DIRECTORY_ENTRY || short(10) !== 0) throw new Error(`${name}: no file without compression`)
    const local = long(42)
    const begin = local + LOCAL_BYTES + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const bytes = archive.subarray(begin, begin + long(24))
    if (bytes.length !== long(24) || crc32(bytes) !== long(16)) throw new Error(`${name}: damaged`)
    files[name] = bytes
    at += ENTRY_BYTES + short(28) + short(30) + short(32)
  }
  return files
}

/** Writes the files of an archive into `folder`. */
export async function unzipInto(folder: string, archive: Buffer): Promise<void> {
  for (const [name, bytes] of Object.entries(unzip(archive))) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes)
  }
}
