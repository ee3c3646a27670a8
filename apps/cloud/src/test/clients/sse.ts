import { waitFor } from '@vigia/testing/wait'

interface Frame {
  readonly id: string | null
  readonly event: string
  readonly data: string
}

/** A reader of a Server-Sent Events stream that keeps all received frames and comments. */
export interface SseReader {
  readonly response: Response
  readonly frames: readonly Frame[]
  readonly comments: readonly string[]
  /** Waits for `count` frames of that kind and returns all of them. */
  until(event: string, count: number): Promise<Frame[]>
  /** Resolves when the server ends the stream, cleanly or not. */
  readonly ended: Promise<void>
  close(): void
}

/** The text of the alert stream of `token`, from the first evento until each text of `until` is part of it. */
export async function streamedText(
  url: string,
  token: string,
  { query = 'todos=true', until }: { readonly query?: string; readonly until: readonly string[] },
): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'last-event-id': '0' }
  const signal = AbortSignal.timeout(20_000)
  const response = await fetch(`${url}/api/v1/sse/alertas?${query}`, { headers, signal })
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (until.every((part) => text.includes(part))) break
  }
  return text
}

export async function openSse(url: string, headers: Record<string, string> = {}): Promise<SseReader> {
  const abort = new AbortController()
  const response = await fetch(url, { headers, signal: abort.signal })
  const frames: Frame[] = []
  const comments: string[] = []
  const ended = read(response, frames, comments).catch((error: unknown) => {
    if (!abort.signal.aborted && !(error instanceof TypeError)) throw error
  })
  return {
    response,
    frames,
    comments,
    ended,
    until: (event, count) =>
      waitFor(
        `${count} frames "${event}"`,
        () => {
          const some = frames.filter((frame) => frame.event === event)
          return some.length >= count && some
        },
        { everyMs: 20 },
      ),
    close: () => abort.abort(),
  }
}

async function read(response: Response, frames: Frame[], comments: string[]): Promise<void> {
  let text = ''
  for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) take(block, frames, comments)
  }
}

function take(block: string, frames: Frame[], comments: string[]): void {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    if (name === '') comments.push(value)
    else fields.set(name, value)
  }
  const data = fields.get('data')
  if (data !== undefined) frames.push({ id: fields.get('id') ?? null, event: fields.get('event') ?? 'message', data })
}
