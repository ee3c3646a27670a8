import { type ZipEntry, zipOf } from '../../../adapters/zip.ts'
import type { Logger } from '../../../http/request-log.ts'
import type { RequestInfo } from '../../../http/route.ts'
import { streamBody } from '../../../http/stream-body.ts'

/** Answers the files as a ZIP. A failure closes the connection, so that the browser reports an incomplete file. */
export function archive(
  { log }: { readonly log: Logger },
  files: AsyncGenerator<ZipEntry>,
  name: string,
  request: RequestInfo,
): Response {
  const failed = (err: unknown) => {
    log.error({ err, id: request.id }, 'export interrupted')
    request.disconnect()
  }
  const body = streamBody(zipOf(files), { finished: () => {}, failed, disconnect: request.disconnect })
  const headers = {
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="vigia-${name}.zip"`,
    'cache-control': 'no-store',
  }
  return new Response(body, { headers })
}
