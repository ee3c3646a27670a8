/**
 * Returns a JPEG file of `bytes` bytes (64 to 65,000) with a valid structure (ITU-T T.81 annex B). `mark` distinguishes
 * files. For tests that count files and do not decode them.
 */
export function blankJpeg(bytes: number, mark: string, { width, height } = { width: 640, height: 480 }): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  const scan = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0])
  const comment = Buffer.alloc(Math.max(mark.length, bytes - frame.length - scan.length - 8), 0x20)
  comment.write(mark)
  const header = Buffer.from([0xff, 0xfe, 0, 0])
  header.writeUInt16BE(comment.length + 2, 2)
  return Buffer.concat([Buffer.from([0xff, 0xd8]), header, comment, frame, scan, Buffer.from([0xff, 0xd9])])
}
