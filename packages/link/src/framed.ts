import { MAX_RECORD_BYTES } from './limits.ts'

/**
 * Message layout: `u32 big-endian header length | header, JSON | bytes`. Pictures stay raw bytes, because base64 adds
 * a third.
 */
const LENGTH_BYTES = 4
/** A record with 256 boxes and 64 labels has about 50 kB; senders keep a batch below this limit. */
export const MAX_HEADER_BYTES = 1024 * 1024

export type Framed =
  | { readonly ok: true; readonly header: unknown; readonly body: Buffer }
  | { readonly ok: false; readonly motivo: string }

/** One message as bytes; null above MAX_RECORD_BYTES, the limit of the broker. */
export function encodeFramed(header: object, body: readonly Buffer[]): Buffer | null {
  const text = Buffer.from(JSON.stringify(header), 'utf8')
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(text.length)
  const message = Buffer.concat([length, text, ...body])
  return text.length > MAX_HEADER_BYTES || message.length > MAX_RECORD_BYTES ? null : message
}

/** Splits a message. The caller checks the header with its schema. Never throws; `body` is a view, not a copy. */
export function decodeFramed(payload: Buffer): Framed {
  const refuse = (motivo: string): Framed => ({ ok: false, motivo })
  if (payload.length > MAX_RECORD_BYTES) return refuse('mensagem grande demais')
  if (payload.length < LENGTH_BYTES) return refuse('mensagem truncada')
  const headerEnd = LENGTH_BYTES + payload.readUInt32BE(0)
  if (headerEnd > LENGTH_BYTES + MAX_HEADER_BYTES) return refuse('cabeçalho grande demais')
  if (headerEnd > payload.length) return refuse('mensagem truncada')
  try {
    const header: unknown = JSON.parse(payload.toString('utf8', LENGTH_BYTES, headerEnd))
    return { ok: true, header, body: payload.subarray(headerEnd) }
  } catch {
    return refuse('cabeçalho ilegível')
  }
}
