import { createHash } from 'node:crypto'

/**
 * Derives the stable id of a notification: UUID version 8 (RFC 9562, section 5.8) from the SHA-256 of its subject. The
 * queue, webhook receivers and mailboxes detect duplicates by it.
 */
export function messageId(...about: readonly (string | number)[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(about)).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
