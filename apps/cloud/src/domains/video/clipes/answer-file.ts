import type { MediaStore } from '../../../adapters/media-store/interface.ts'
import { parseRange } from '../../../http/byte-range.ts'
import type { Logger } from '../../../http/request-log.ts'
import type { RequestInfo } from '../../../http/route.ts'
import { streamBody } from '../../../http/stream-body.ts'

interface StoredFile {
  readonly caminho: string
  readonly sha256: string
  /** Bytes. */
  readonly tamanho: number
}

/** Answers with an MP4 of the media store, whole or in parts. Accepts `Range`, `If-Range` and HEAD. */
export function answerFile(
  { media, log }: { readonly media: MediaStore; readonly log: Logger },
  { caminho, sha256, tamanho: size }: StoredFile,
  request: Pick<RequestInfo, 'header' | 'disconnect'>,
): Response {
  const etag = `"${sha256}"`
  const headers = { etag, 'accept-ranges': 'bytes', 'cache-control': 'private, max-age=3600' }
  const condition = request.header('if-range')
  const range = condition === undefined || condition === etag ? parseRange(request.header('range'), size) : null
  if (range === 'fora')
    return Response.json(
      { detail: 'O clipe termina antes do trecho pedido.' },
      { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` } },
    )
  const { first, last } = range ?? { first: 0, last: size - 1 }
  // The file is opened by the first read, so that HEAD opens nothing.
  async function* chunks() {
    const stream = await media.open(caminho, { first, last })
    if (!stream) throw new Error('clip removed during its answer')
    yield* stream
  }
  const failed = (err: unknown) => {
    log.warn({ err, caminho }, 'clip not sent')
    request.disconnect()
  }
  const body = streamBody(chunks(), { finished: () => {}, failed, disconnect: request.disconnect })
  return new Response(body, {
    status: range ? 206 : 200,
    headers: {
      ...headers,
      'content-type': 'video/mp4',
      'content-length': String(last - first + 1),
      // The browser does not show the clip to its next login.
      vary: 'Authorization, Cookie',
      ...(range && { 'content-range': `bytes ${first}-${last}/${size}` }),
    },
  })
}
