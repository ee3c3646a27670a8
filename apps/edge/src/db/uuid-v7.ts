import { randomBytes } from 'node:crypto'

/** UUID version 7 (RFC 9562 section 5.7): 48 bits of Unix milliseconds, then 74 random bits. */
export function uuidV7(epochMs: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Math.max(0, Math.floor(epochMs)), 0, 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Time of a UUID version 7 in epoch ms; null: no id. */
export const timeOfUuid = (id: string | undefined): number | null =>
  id === undefined ? null : Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
