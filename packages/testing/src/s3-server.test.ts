import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type S3Server, startS3Server } from './s3-server.ts'
import { refusalOf, type SignedRequest, signatureOf } from './s3-server-signature.ts'

let server: S3Server
beforeAll(async () => {
  server = await startS3Server()
  expect((await send('PUT', '/balde')).status).toBe(200)
})
afterAll(() => server.stop())

const stamp = (ms = Date.now()) => new Date(ms).toISOString().replace(/[-:]|\.\d+/g, '')
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

interface Sent {
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly id?: string
  readonly secret?: string
  readonly at?: number
  /** Path of the signature; default: that of the request. */
  readonly signedPath?: string
  /** Body of the signature; default: that of the request. */
  readonly signedBody?: string
}

/** Sends a request with a signature in its header. */
async function send(method: string, path: string, sent: Sent = {}): Promise<Response> {
  const { body = '', id = server.id, secret = server.secret, signedPath = path, signedBody = body } = sent
  const date = stamp(sent.at)
  const scope = `${date.slice(0, 8)}/us-east-1/s3/aws4_request`
  const payload = sha256(signedBody)
  const own = { ...sent.headers, 'x-amz-content-sha256': payload, 'x-amz-date': date }
  const headers = { ...own, host: new URL(server.url).host }
  const signedHeaders = Object.keys(headers).sort()
  const signed = { scope, signedHeaders, date, payload }
  const signature = signatureOf({ method, url: signedPath, headers }, signed, secret)
  const credential = `Credential=${id}/${scope}, SignedHeaders=${signedHeaders.join(';')}, Signature=${signature}`
  const authorization = `AWS4-HMAC-SHA256 ${credential}`
  const content = method === 'GET' || method === 'HEAD' ? {} : { body }
  return fetch(`${server.url}${path}`, { method, headers: { ...own, authorization }, ...content })
}

/** An address with a signature in its query. */
function presign(path: string, { at = Date.now(), expires = 60 } = {}): string {
  const date = stamp(at)
  const scope = `${date.slice(0, 8)}/us-east-1/s3/aws4_request`
  const query = new URLSearchParams({
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${server.id}/${scope}`,
    'X-Amz-Date': date,
    'X-Amz-Expires': String(expires),
    'X-Amz-SignedHeaders': 'host',
  })
  const signed = { scope, signedHeaders: ['host'], date, payload: 'UNSIGNED-PAYLOAD' }
  const headers = { host: new URL(server.url).host }
  const signature = signatureOf({ method: 'GET', url: `${path}?${query}`, headers }, signed, server.secret)
  return `${server.url}${path}?${query}&X-Amz-Signature=${signature}`
}

const codeOf = async (answer: Response) => [answer.status, /<Code>(\w+)</.exec(await answer.text())?.[1]]

it('stores and returns an object with valid signatures', async () => {
  expect((await send('PUT', '/balde/a%20b.txt', { body: 'texto' })).status).toBe(200)
  expect(await (await send('GET', '/balde/a%20b.txt')).text()).toBe('texto')
  expect(await (await fetch(presign('/balde/a%20b.txt'))).text()).toBe('texto')
  expect(await codeOf(await send('GET', '/balde/none.txt'))).toEqual([404, 'NoSuchKey'])
})

it('returns the first byte, and pages of a list', async () => {
  for (const name of ['a', 'b', 'c']) await send('PUT', `/balde/lista/${name}`, { body: 'texto' })
  const byte = await send('GET', '/balde/lista/a', { headers: { range: 'bytes=0-0' } })
  expect([byte.status, byte.headers.get('content-range'), await byte.text()]).toEqual([206, 'bytes 0-0/5', 't'])
  const list = '/balde?list-type=2&prefix=lista%2F&max-keys=2'
  const page = await (await send('GET', list)).text()
  const token = /<NextContinuationToken>(.*)<\/NextContinuationToken>/.exec(page)?.[1] ?? ''
  const next = await (await send('GET', `${list}&continuation-token=${token}`)).text()
  const keysOf = (xml: string) => [...xml.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key]) => key)
  expect([keysOf(page), keysOf(next)]).toEqual([['lista/a', 'lista/b'], ['lista/c']])
  expect(next).not.toContain('NextContinuationToken')
})

describe('a request in the header form', () => {
  it.each([
    ['with a wrong secret', { secret: 'wrong' }, 'SignatureDoesNotMatch'],
    ['with an unknown key', { id: 'AKIA0' }, 'InvalidAccessKeyId'],
    ['with another path', { signedPath: '/balde/other.txt' }, 'SignatureDoesNotMatch'],
    ['with another query', { signedPath: '/balde/a.txt?versionId=1' }, 'SignatureDoesNotMatch'],
    ['from another hour', { at: Date.now() - 3_600_000 }, 'RequestTimeTooSkewed'],
    ['from the next hour', { at: Date.now() + 3_600_000 }, 'RequestTimeTooSkewed'],
  ])('is refused %s', async (_what, change, code) => {
    expect(await codeOf(await send('GET', '/balde/a.txt', change))).toEqual([403, code])
  })

  it('is refused without a signature, or with a header of S3 that is not signed', async () => {
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await fetch(`${server.url}/balde/a.txt`, { method })).status).toBe(403)
    const request: SignedRequest = {
      method: 'GET',
      url: '/balde/a.txt',
      headers: {
        host: 'h',
        'x-amz-date': stamp(),
        'x-amz-content-sha256': sha256(''),
        'x-amz-acl': 'public-read',
        authorization:
          `AWS4-HMAC-SHA256 Credential=${server.id}/${stamp().slice(0, 8)}/us-east-1/s3/aws4_request,` +
          'SignedHeaders=host;x-amz-content-sha256;x-amz-date,Signature=0',
      },
    }
    expect(refusalOf(request, server, Date.now())).toEqual({ status: 403, code: 'AccessDenied' })
  })

  it('is refused with another body than that of the signature', async () => {
    const answer = await send('PUT', '/balde/a.txt', { body: 'one', signedBody: 'two' })
    expect(await codeOf(answer)).toEqual([400, 'XAmzContentSHA256Mismatch'])
    expect((await send('GET', '/balde/a.txt')).status).toBe(404)
  })
})

it('refuses a presigned address with another path, another query, or after its end', async () => {
  const url = presign('/balde/a.txt')
  expect(await codeOf(await fetch(url.replace('a.txt', 'b.txt')))).toEqual([403, 'SignatureDoesNotMatch'])
  expect(await codeOf(await fetch(url.replace('Expires=60', 'Expires=600')))).toEqual([403, 'SignatureDoesNotMatch'])
  expect(await codeOf(await fetch(presign('/balde/a.txt', { at: Date.now() - 61_000 })))).toEqual([403, 'AccessDenied'])
})

it('writes an object with `If-None-Match: *` once, also of several at the same time', async () => {
  const put = (body: string) => send('PUT', '/balde/once.txt', { body, headers: { 'if-none-match': '*' } })
  const statuses = (await Promise.all(['1', '2', '3'].map(put))).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 412, 412])
  expect(await codeOf(await put('4'))).toEqual([412, 'PreconditionFailed'])
})

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html and sigv4-query-string-auth.html */
describe('the examples of AWS', () => {
  const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
  const date = '20130524T000000Z'
  const scope = '20130524/us-east-1/s3/aws4_request'
  const host = 'examplebucket.s3.amazonaws.com'
  const empty = sha256('')
  const own = { host, 'x-amz-content-sha256': empty, 'x-amz-date': date }

  it.each([
    ['GET', '/test.txt', { range: 'bytes=0-9' }, 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'],
    ['GET', '/?lifecycle', {}, 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
    ['GET', '/?max-keys=2&prefix=J', {}, '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
  ])('%s %s', (method, url, more, expected) => {
    const headers = { ...own, ...more }
    const signed = { scope, signedHeaders: Object.keys(headers).sort(), date, payload: empty }
    expect(signatureOf({ method, url, headers }, signed, secret)).toBe(expected)
  })

  it('a presigned address', () => {
    const signature = 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404'
    const url =
      '/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3' +
      `%2Faws4_request&X-Amz-Date=${date}&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=${signature}`
    const key = { id: 'AKIAIOSFODNN7EXAMPLE', secret }
    const now = Date.UTC(2013, 4, 24, 12)
    expect(refusalOf({ method: 'GET', url, headers: { host } }, key, now)).toBeNull()
    const late = now + 86_400_000
    expect(refusalOf({ method: 'GET', url, headers: { host } }, key, late)).toMatchObject({ status: 403 })
  })
})
