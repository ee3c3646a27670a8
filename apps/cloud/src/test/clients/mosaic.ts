import { waitFor } from '@vigia/testing/wait'

interface MosaicPart {
  readonly cameraId: number
  readonly jpeg: Buffer
}

/** A viewer of a mosaic that keeps every received picture. */
export interface MosaicReader {
  readonly response: Response
  readonly pictures: readonly MosaicPart[]
  /** Waits for `count` pictures and returns all received ones. */
  until(count: number): Promise<readonly MosaicPart[]>
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>
  close(): void
}

export async function openMosaicReader(url: string, headers: Record<string, string>): Promise<MosaicReader> {
  const abort = new AbortController()
  const response = await fetch(url, { headers, signal: abort.signal, redirect: 'manual' })
  const pictures: MosaicPart[] = []
  const read = async () => {
    if (!response.ok || !response.body) return
    let bytes = Buffer.alloc(0)
    for await (const chunk of response.body) bytes = takeParts(Buffer.concat([bytes, chunk]), pictures)
  }
  const ended = read().catch((error: unknown) => {
    if (!abort.signal.aborted && !(error instanceof TypeError)) throw error
  })
  return {
    response,
    pictures,
    ended,
    until: (count) => waitFor(`${count} pictures`, () => pictures.length >= count && pictures, { everyMs: 10 }),
    close: () => abort.abort(),
  }
}

const HEADER = /^--quadro\r\nContent-Type: image\/jpeg\r\nX-Camera-Id: (\d+)\r\nContent-Length: (\d+)\r\n\r\n/

/** Removes the complete parts and returns the rest. */
function takeParts(bytes: Buffer<ArrayBuffer>, pictures: MosaicPart[]): Buffer<ArrayBuffer> {
  const [header, cameraId, length] = HEADER.exec(bytes.toString('latin1', 0, 200)) ?? []
  if (header === undefined) return bytes
  const end = header.length + Number(length)
  if (bytes.length < end + 2) return bytes
  pictures.push({ cameraId: Number(cameraId), jpeg: Buffer.from(bytes.subarray(header.length, end)) })
  return takeParts(bytes.subarray(end + 2), pictures)
}
