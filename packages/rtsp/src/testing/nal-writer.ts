/** A NAL unit of fields as the standards list them: `u:count:value`, `ue:value`, `se:value`. */
export function nal(header: readonly number[], fields: readonly string[]): Buffer {
  const bits = fields
    .map((field) => {
      const [kind, a = '0', b = '0'] = field.split(':')
      if (kind === 'u') return Number(b).toString(2).padStart(Number(a), '0')
      const value = Number(a)
      const code = (kind === 'se' ? (value > 0 ? 2 * value - 1 : -2 * value) : value) + 1
      const text = code.toString(2)
      return '0'.repeat(text.length - 1) + text
    })
    .join('')
  const padded = `${bits}1`.padEnd(Math.ceil((bits.length + 1) / 8) * 8, '0')
  const payload = padded.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []
  const out = [...header]
  for (const byte of payload) {
    // Inserts emulation prevention bytes, as an encoder does.
    if (byte <= 3 && out.at(-1) === 0 && out.at(-2) === 0) out.push(3)
    out.push(byte)
  }
  return Buffer.from(out)
}
