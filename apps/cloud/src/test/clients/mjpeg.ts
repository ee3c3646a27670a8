import { waitFor } from '@vigia/testing/wait'

/** A viewer of an MJPEG answer that keeps every received picture. */
export interface MjpegReader {
  readonly response: Response
  readonly pictures: readonly Buffer[]
  /** Header `X-Caixas` of each picture; undefined: none. */
  readonly boxes: readonly (string | undefined)[]
  /** Waits for `count` pictures and returns all received ones. */
  until(count: number): Promise<readonly Buffer[]>
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>
  close(): void
}

export async function openMjpeg(url: string, headers: Record<string, string> = {}): Promise<MjpegReader> {
  const abort = new AbortController()
  const response = await fetch(url, { headers, signal: abort.signal, redirect: 'manual' })
  const pictures: Buffer[] = []
  const boxes: (string | undefined)[] = []
  const read = async () => {
    const isMjpeg = response.headers.get('content-type') === 'multipart/x-mixed-replace; boundary=quadro'
    if (!isMjpeg || !response.body) return
    await parts(response.body, pictures, boxes)
  }
  const ended = read().catch((error: unknown) => {
    if (!abort.signal.aborted && !(error instanceof TypeError)) throw error
  })
  return {
    response,
    pictures,
    boxes,
    ended,
    until: (count) => waitFor(`${count} pictures`, () => pictures.length >= count && pictures, { everyMs: 10 }),
    close: () => abort.abort(),
  }
}

/** Appends the pictures of a body to `pictures`, and their boxes to `boxes`, until it ends. */
export async function parts(
  body: AsyncIterable<Uint8Array>,
  pictures: Buffer[],
  boxes: (string | undefined)[] = [],
): Promise<void> {
  let bytes = Buffer.alloc(0)
  for await (const chunk of body) bytes = takeParts(Buffer.concat([bytes, chunk]), pictures, boxes)
}

/** Removes the complete parts; a part is complete when the boundary after it has arrived. Returns the rest. */
function takeParts(bytes: Buffer<ArrayBuffer>, pictures: Buffer[], boxes: (string | undefined)[]): Buffer<ArrayBuffer> {
  const [, header, seen, length] =
    /^(--quadro\r\nContent-Type: image\/jpeg\r\n(?:X-Caixas: ([^\r]*)\r\n)?Content-Length: (\d+)\r\n\r\n)/.exec(
      bytes.toString('latin1', 0, 4096),
    ) ?? []
  if (header === undefined) return bytes
  const end = header.length + Number(length)
  const boundary = '\r\n--quadro\r\n'
  if (bytes.length < end + boundary.length) return bytes
  if (bytes.toString('latin1', end, end + boundary.length) !== boundary) throw new Error('a part has another length')
  pictures.push(Buffer.from(bytes.subarray(header.length, end)))
  boxes.push(seen)
  return takeParts(bytes.subarray(end + 2), pictures, boxes)
}
