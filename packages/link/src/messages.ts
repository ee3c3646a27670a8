/** The subset of a zod schema that decoding needs. */
interface Schema<Value> {
  safeParse(
    value: unknown,
  ): { readonly success: true; readonly data: Value } | { readonly success: false; readonly error: unknown }
}

/** Encodes a message body: JSON, UTF-8. */
export const encodeMessage = (value: object): Buffer => Buffer.from(JSON.stringify(value), 'utf8')

/** Returns the parsed body; null for invalid JSON or a body that breaks the schema. Never throws. */
export function decodeMessage<Value>(schema: Schema<Value>, payload: Buffer): Value | null {
  let value: unknown
  try {
    value = JSON.parse(payload.toString('utf8'))
  } catch {
    return null
  }
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : null
}

/** Decodes a message and passes it to `receive`; false when the message is unreadable. */
export function deliver<Value>(schema: Schema<Value>, payload: Buffer, receive: (value: Value) => void): boolean {
  const value = decodeMessage(schema, payload)
  if (value === null) return false
  receive(value)
  return true
}
