import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** A key of an S3 server. */
export interface S3Key {
  readonly id: string
  readonly secret: string
}

export interface SignedRequest {
  readonly method: string
  /** Path and query, as they were sent. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
}

/** A refusal as S3 names it. */
export interface Refusal {
  readonly status: 400 | 403
  readonly code: string
}

/** The parts of a signature, from the header or from the query. */
interface Signature {
  readonly keyId: string
  /** `YYYYMMDD/region/service/aws4_request`. */
  readonly scope: string
  readonly signedHeaders: readonly string[]
  readonly value: string
  /** `YYYYMMDD'T'HHMMSS'Z'`. */
  readonly date: string
  readonly validMs: number
  readonly payload: string
  readonly isInQuery: boolean
}

const ALGORITHM = 'AWS4-HMAC-SHA256'
const UNSIGNED = 'UNSIGNED-PAYLOAD'
/** S3 refuses requests whose clock differs by more. */
const SKEW_MS = 15 * 60_000
const DENIED: Refusal = { status: 403, code: 'AccessDenied' }

/**
 * Recomputes the AWS Signature Version 4 of a request to S3 (header or presigned query). null: it is valid.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
 */
export function refusalOf(request: SignedRequest, key: S3Key, now: number): Refusal | null {
  const signature = readSignature(request)
  if (signature === null) return DENIED
  if (signature.keyId !== key.id) return { status: 403, code: 'InvalidAccessKeyId' }
  const { host, ...others } = request.headers
  // S3 demands that the signature covers the host and each header of its own.
  const needed = ['host', ...Object.keys(others).filter((name) => name.startsWith('x-amz-'))]
  if (host === undefined || !needed.every((name) => signature.signedHeaders.includes(name))) return DENIED
  const age = now - timeOf(signature.date)
  if (!(age >= -SKEW_MS)) return { status: 403, code: 'RequestTimeTooSkewed' }
  if (age > signature.validMs) return signature.isInQuery ? DENIED : { status: 403, code: 'RequestTimeTooSkewed' }
  if (!isEqual(signature.value, signatureOf(request, signature, key.secret)))
    return { status: 403, code: 'SignatureDoesNotMatch' }
  return null
}

/** Whether the body has the hash that the request is signed for. Chunk signatures (STREAMING-…) are not checked. */
export function matchesBody({ headers }: SignedRequest, body: Buffer): boolean {
  const signed = headers['x-amz-content-sha256']
  return typeof signed !== 'string' || !/^[0-9a-f]{64}$/.test(signed) || signed === sha256(body)
}

/** Signature of a request in hexadecimal digits. */
export function signatureOf(
  { method, url, headers }: SignedRequest,
  { scope, signedHeaders, date, payload }: Pick<Signature, 'scope' | 'signedHeaders' | 'date' | 'payload'>,
  secret: string,
): string {
  const [path = '', query = ''] = url.split('?')
  const canonical = [
    method,
    path.split('/').map(reencode).join('/'),
    canonicalQuery(query),
    ...signedHeaders.map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}`,
    ),
    '',
    signedHeaders.join(';'),
    payload,
  ].join('\n')
  const text = [ALGORITHM, date, scope, sha256(canonical)].join('\n')
  const signingKey = scope.split('/').reduce<string | Buffer>((key, part) => hmac(key, part), `AWS4${secret}`)
  return hmac(signingKey, text).toString('hex')
}

function readSignature({ url, headers }: SignedRequest): Signature | null {
  const query = new URLSearchParams(url.split('?')[1] ?? '')
  const isInQuery = query.has('X-Amz-Signature')
  const fields = isInQuery ? queryFields(query) : headerFields(headers)
  if (fields === null) return null
  const { credential = '', signedHeaders = '', value = '', date = '', validMs, payload } = fields
  const [keyId = '', ...scope] = credential.split('/')
  // The last part of the scope is fixed, and its day is that of the request.
  if (scope.length !== 4 || scope[3] !== 'aws4_request' || scope[0] !== date.slice(0, 8)) return null
  return {
    keyId,
    scope: scope.join('/'),
    signedHeaders: signedHeaders.split(';'),
    value,
    date,
    validMs,
    payload,
    isInQuery,
  }
}

const queryFields = (query: URLSearchParams) =>
  query.get('X-Amz-Algorithm') !== ALGORITHM
    ? null
    : {
        credential: query.get('X-Amz-Credential') ?? '',
        signedHeaders: query.get('X-Amz-SignedHeaders') ?? '',
        value: query.get('X-Amz-Signature') ?? '',
        date: query.get('X-Amz-Date') ?? '',
        validMs: Number(query.get('X-Amz-Expires')) * 1000,
        payload: UNSIGNED,
      }

function headerFields(headers: IncomingHttpHeaders) {
  const [algorithm, ...rest] = (headers.authorization ?? '').split(' ')
  const payload = headers['x-amz-content-sha256']
  if (algorithm !== ALGORITHM || typeof payload !== 'string') return null
  const parts = new Map(
    rest
      .join('')
      .split(',')
      .map((part) => part.split(/=(.*)/s, 2) as [string, string]),
  )
  return {
    credential: parts.get('Credential'),
    signedHeaders: parts.get('SignedHeaders'),
    value: parts.get('Signature'),
    date: String(headers['x-amz-date'] ?? ''),
    validMs: SKEW_MS,
    payload,
  }
}

/** Encoded and sorted, without the signature itself. */
const canonicalQuery = (query: string): string =>
  query
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('X-Amz-Signature='))
    .map((pair) => pair.split(/=(.*)/s, 2).map((part) => reencode(part)))
    .map(([name = '', value = '']) => [name, value] as const)
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map((pair) => pair.join('='))
    .join('&')

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** One form of each text: RFC 3986, where `encodeURIComponent` keeps more characters. */
const reencode = (text: string): string =>
  encodeURIComponent(decodeURIComponent(text)).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** `20130524T000000Z` in epoch ms; NaN: not a date. */
const timeOf = (date: string): number =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'))

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

const isEqual = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
