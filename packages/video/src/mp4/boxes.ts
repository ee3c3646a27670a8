/** Boxes of ISO/IEC 14496-12: size, type, content; all numbers big-endian. */

export const u16 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.allocUnsafe(values.length * 2)
  for (const [i, value] of values.entries()) bytes.writeUInt16BE(value, i * 2)
  return bytes
}

export const u32 = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.allocUnsafe(values.length * 4)
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, i * 4)
  return bytes
}

export function box(type: string, ...content: readonly Buffer[]): Buffer {
  const size = content.reduce((sum, { length }) => sum + length, 8)
  return Buffer.concat([u32(size), Buffer.from(type, 'latin1'), ...content], size)
}

export const fullBox = (type: string, version: number, flags: number, ...content: readonly Buffer[]): Buffer =>
  box(type, u32(version * 2 ** 24 + flags), ...content)
