/** One message of a Server-Sent Events stream. `id` is the last id so far, or '' if there was none. */
export interface SseMessage {
  readonly event: string
  readonly data: string
  readonly id: string
}

/** Largest line or message, characters. An endless line would fill the page's memory. */
export const MAX_PENDING = 1_048_576

/**
 * Incremental reader of the event-stream format (WHATWG HTML, 9.2.6). Accepts chunks of text and calls `onMessage` for
 * each complete message. Throws if a line or a message exceeds MAX_PENDING.
 */
export function createSseParser(onMessage: (message: SseMessage) => void): { push(text: string): void } {
  let pending = ''
  let afterCarriageReturn = false
  let event = ''
  let data: string[] = []
  let dataLength = 0
  let id = ''

  const dispatch = () => {
    if (data.length > 0) onMessage({ event: event || 'message', data: data.join('\n'), id })
    event = ''
    data = []
    dataLength = 0
  }

  const readLine = (line: string) => {
    if (line === '') return dispatch()
    const colon = line.indexOf(':')
    if (colon === 0) return // A comment: the server's heartbeat.
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'event') event = value
    else if (field === 'id' && !value.includes('\0')) id = value
    else if (field === 'data') {
      dataLength += value.length
      if (dataLength > MAX_PENDING) throw new Error('event stream: message too long')
      data.push(value)
    }
  }

  return {
    push(text) {
      // A CRLF may be split between two chunks: an LF after a CR belongs to it.
      const fresh = afterCarriageReturn && text.startsWith('\n') ? text.slice(1) : text
      if (text !== '') afterCarriageReturn = text.endsWith('\r')
      const lines = (pending + fresh).split(/\r\n|\r|\n/)
      pending = lines.pop() ?? ''
      if (pending.length > MAX_PENDING) throw new Error('event stream: line too long')
      for (const line of lines) readLine(line)
    },
  }
}
