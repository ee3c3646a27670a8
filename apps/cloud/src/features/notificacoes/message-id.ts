import { createHash } from 'node:crypto'

/**
 * The id of a notification, the same however often it is derived: UUID version 8 (RFC 9562, section 5.8) of the SHA-256 of
 * what it is about. By it a queue, a webhook's receiver and a mailbox know a second copy.
 */
export function messageId(...about: readonly (string | number)[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(about)).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
