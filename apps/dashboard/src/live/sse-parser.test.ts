import { describe, expect, it } from 'vitest'
import { createSseParser, MAX_PENDING, type SseMessage } from './sse-parser.ts'

function read(...chunks: string[]): SseMessage[] {
  const messages: SseMessage[] = []
  const parser = createSseParser((message) => messages.push(message))
  for (const chunk of chunks) parser.push(chunk)
  return messages
}

describe('event stream reader', () => {
  it('reads name, id and data', () => {
    expect(read('event: alerta\nid: 7\ndata: {"a":1}\n\n')).toEqual([{ event: 'alerta', id: '7', data: '{"a":1}' }])
  })

  it('returns the same messages for all chunk boundaries and line ends', () => {
    const whole = ':ping\r\nevent: alerta\r\nid: 7\r\ndata: um\r\ndata:dois\r\n\r\ndata: três\rid\r\rdata: 4\n\n'
    const expected = [
      { event: 'alerta', id: '7', data: 'um\ndois' },
      { event: 'message', id: '', data: 'três' },
      { event: 'message', id: '', data: '4' },
    ]
    expect(read(whole)).toEqual(expected)
    expect(read(...whole)).toEqual(expected)
    for (let cut = 1; cut < whole.length; cut++) expect(read(whole.slice(0, cut), whole.slice(cut))).toEqual(expected)
  })

  it('keeps the last id for the messages that follow', () => {
    expect(read('id: 3\ndata: a\n\ndata: b\n\n').map((message) => message.id)).toEqual(['3', '3'])
  })

  it('ignores comments, unknown fields and messages without data', () => {
    expect(read(': vivo\n\nretry: 10\n\nevent: alerta\n\nlixo\n\n')).toEqual([])
  })

  it('drops a message that was cut off before its blank line', () => {
    expect(read('data: meio\n')).toEqual([])
  })

  it('strips only one space from the value', () => {
    expect(read('data:  dois\n\n')[0]?.data).toBe(' dois')
  })

  it('rejects a line or a message without end', () => {
    expect(() => read('x'.repeat(MAX_PENDING), 'xx')).toThrow('line too long')
    const half = `data: ${'x'.repeat(MAX_PENDING / 2)}\n`
    expect(() => read(half, half, half)).toThrow('message too long')
  })
})
