/// <reference path="./s3rver.d.ts" />
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request as openRequest, type Server, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import S3rver from 's3rver'
import { repairOf } from './s3-server-repairs.ts'
import { matchesBody, refusalOf, type S3Key } from './s3-server-signature.ts'
import { type BucketVersions, settingOf, versionHeader } from './s3-server-versions.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** An S3 server with one key. */
export interface S3Server extends S3Key {
  /** `http://127.0.0.1:port`; buckets are the first part of the path. */
  readonly url: string
  stop(): Promise<void>
}

/** The S3 server that VIGIA_S3_TESTE_URL, `_CHAVE_ID` and `_CHAVE_SECRETA` name, else a server of this process. */
export async function s3ForTests(): Promise<S3Server> {
  const { VIGIA_S3_TESTE_URL: url, VIGIA_S3_TESTE_CHAVE_ID: id, VIGIA_S3_TESTE_CHAVE_SECRETA: secret } = process.env
  if (!url) return startS3Server()
  if (!id || !secret) throw new Error('VIGIA_S3_TESTE_CHAVE_ID and VIGIA_S3_TESTE_CHAVE_SECRETA are missing')
  return { url, id, secret, stop: async () => {} }
}

/**
 * Starts s3rver on 127.0.0.1 with files in memory, behind a proxy for the checks that s3rver lacks. The proxy verifies
 * the signature and the hash of each request, and answers `If-None-Match: *` on an existing object with 412.
 */
export async function startS3Server({
  buckets = [],
  versions = null,
}: {
  readonly buckets?: readonly string[]
  /** null: buckets that never had versions. */
  readonly versions?: BucketVersions | null
} = {}): Promise<S3Server> {
  const key = { id: `TESTE${randomBytes(6).toString('hex').toUpperCase()}`, secret: randomBytes(24).toString('base64') }
  const directory = temporaryFolder('vigia-s3-')
  const store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    directory,
    silent: true,
    vhostBuckets: false,
    configureBuckets: buckets.map((name) => ({ name })),
  })
  const { port } = await store.run()
  const answer = createAnswer(key, port, versions)
  const proxy = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  const url = await listen(proxy)
  return {
    ...key,
    url,
    async stop() {
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
      await store.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

function createAnswer(key: S3Key, port: number, versions: BucketVersions | null) {
  /** Conditional writes follow one another, so that of two at the same time one fails. */
  let conditional = Promise.resolve()

  async function carry(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const repaired = repairOf(request)
    const answer = await forward(port, { ...pick(request), ...(repaired && { url: repaired.url }) }, body)
    const status = answer.statusCode ?? 502
    if (repaired !== null) {
      const whole = repaired.repair({ headers: answer.headers, body: await buffer(answer) })
      response.writeHead(status, whole.headers).end(whole.body)
      return
    }
    response.writeHead(status, { ...answer.headers, ...versionHeader(versions, request.method) })
    await pipeline(answer, response)
  }

  async function carryIfNew(request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
    const { url } = withoutSignature(request)
    const existing = await forward(port, { method: 'HEAD', url: url.split('?')[0], headers: {} }, Buffer.alloc(0))
    existing.resume()
    if (existing.statusCode === 200) return refuse(response, 412, 'PreconditionFailed')
    return carry(request, body, response)
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request)
    const signed = { method: request.method ?? '', url: request.url ?? '', headers: request.headers }
    const refusal = refusalOf(signed, key, Date.now())
    if (refusal !== null) return refuse(response, refusal.status, refusal.code)
    if (!matchesBody(signed, body)) return refuse(response, 400, 'XAmzContentSHA256Mismatch')
    const asked = versions && settingOf(versions, signed)
    if (asked?.code !== undefined) return refuse(response, asked.status, asked.code)
    if (asked) return sendXml(response, 200, asked.xml)
    if (request.headers['if-none-match'] !== '*' || request.method === 'GET') return carry(request, body, response)
    const turn = conditional.then(() => carryIfNew(request, body, response))
    conditional = turn.catch(() => {})
    return turn
  }
}

type Forwarded = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

const pick = ({ method, url, headers }: IncomingMessage): Forwarded => ({ method, url, headers })

/** Sends a checked request to s3rver, which gets no signature. */
function forward(port: number, request: Forwarded, body: Buffer): Promise<IncomingMessage> {
  const { url, headers } = withoutSignature(request)
  return new Promise((resolve, reject) => {
    const to = { host: '127.0.0.1', port, method: request.method, path: url, headers, agent: false as const }
    openRequest(to, resolve).once('error', reject).end(body)
  })
}

function withoutSignature({ url = '/', headers }: Forwarded) {
  const { authorization: _signature, host: _host, connection: _connection, expect: _expect, ...others } = headers
  const [path = '/', query = ''] = url.split('?')
  const kept = query.split('&').filter((pair) => pair !== '' && !pair.startsWith('X-Amz-'))
  return { url: kept.length === 0 ? path : `${path}?${kept.join('&')}`, headers: others }
}

const refuse = (response: ServerResponse, status: number, code: string): void =>
  sendXml(response, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`)

function sendXml(response: ServerResponse, status: number, xml: string): void {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`
  response.writeHead(status, { 'content-type': 'application/xml', 'content-length': Buffer.byteLength(text) }).end(text)
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}
