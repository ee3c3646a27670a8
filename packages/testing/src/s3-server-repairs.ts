import type { IncomingHttpHeaders } from 'node:http'

/** An answer of s3rver that was read whole. */
export interface WholeAnswer {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Requests that s3rver 3.7.1 answers wrongly, with the correction of the answer. null: it answers correctly. */
export function repairOf({
  url = '',
  headers,
}: {
  readonly url?: string | undefined
  readonly headers: IncomingHttpHeaders
}) {
  const listUrl = asFirstVersion(url)
  if (listUrl !== null) return { url: listUrl, repair: withToken }
  return headers.range === 'bytes=0-0' ? { url, repair: firstByte } : null
}

/**
 * s3rver encrypts continuation tokens with DES, which OpenSSL 3 refuses. The list of version 1 has the same content
 * without a token. A token is here the last key of the page.
 */
function asFirstVersion(url: string): string | null {
  const [path = '', query = ''] = url.split('?')
  const fields = new URLSearchParams(query)
  if (fields.get('list-type') !== '2') return null
  const token = fields.get('continuation-token')
  const after = token === null ? fields.get('start-after') : Buffer.from(token, 'base64url').toString()
  for (const name of ['list-type', 'continuation-token', 'start-after']) fields.delete(name)
  if (after !== null) fields.set('marker', after)
  return `${path}?${fields}`
}

/** Keys with characters that XML escapes do not occur in the tests. */
function withToken({ headers, body }: WholeAnswer): WholeAnswer {
  const xml = body.toString()
  const last = [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].at(-1)?.[1]
  if (last === undefined || !xml.includes('<IsTruncated>true</IsTruncated>')) return { headers, body }
  const token = `<NextContinuationToken>${Buffer.from(last).toString('base64url')}</NextContinuationToken>`
  return resized(headers, Buffer.from(xml.replace('</ListBucketResult>', `${token}</ListBucketResult>`)))
}

/** s3rver takes the end 0 of a range for an absent one. */
function firstByte({ headers, body }: WholeAnswer): WholeAnswer {
  const range = headers['content-range']?.replace(/-\d+/, '-0')
  return resized({ ...headers, ...(range && { 'content-range': range }) }, range ? body.subarray(0, 1) : body)
}

const resized = (headers: IncomingHttpHeaders, body: Buffer): WholeAnswer => ({
  headers: { ...headers, 'content-length': String(body.length) },
  body,
})
