import { type ZipEntry, zipOf } from '../../../adapters/zip.ts'
import type { Logger } from '../../../http/request-log.ts'
import type { RequestInfo } from '../../../http/route.ts'
import { closingOnFailure, streamBody } from '../../../http/stream-body.ts'

/** Answers the files as a ZIP. A failure closes the connection, so that the browser reports an incomplete file. */
export function archive(
  deps: { readonly log: Logger },
  files: AsyncGenerator<ZipEntry>,
  name: string,
  request: RequestInfo,
): Response {
  const body = streamBody(zipOf(files), closingOnFailure(deps, request, 'export interrupted'))
  const headers = {
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="vigia-${name}.zip"`,
    'cache-control': 'no-store',
  }
  return new Response(body, { headers })
}
