import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AvisoPush, type InscricaoPushCreate, inscricaoPushCreateSchema } from '@vigia/contracts/push'

export interface ReceivedPush {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A push service (RFC 8030) on this machine. It answers 201, or the status in `answer`. */
export interface PushService {
  readonly url: string
  readonly received: readonly ReceivedPush[]
  answer: number
  /** Headers of the answer. */
  headers: Readonly<Record<string, string>>
  close(): Promise<void>
}

/** @param intercept answers in place of the service; true: it did */
export async function startPushService(
  intercept: (response: ServerResponse, push: ReceivedPush) => Promise<boolean> = async () => false,
): Promise<PushService> {
  const received: ReceivedPush[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = request.headers as Record<string, string>
    const push = { path: request.url ?? '', headers, body: Buffer.concat(chunks) }
    if (await intercept(response, push)) return
    received.push(push)
    response.writeHead(service.answer, service.headers).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const service: PushService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: 201,
    headers: {},
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return service
}

/** A browser with its own keys. */
export interface PushBrowser {
  /** Path of its address at the service. */
  readonly path: string
  subscription(change?: Partial<InscricaoPushCreate>): InscricaoPushCreate
  /** Decrypts a message (RFC 8291) after a check of its signature by `chavePublica` (RFC 8292). */
  read(push: ReceivedPush, chavePublica: string): AvisoPush
}

export function newPushBrowser(service: PushService): PushBrowser {
  const ecdh = createECDH('prime256v1')
  const own = ecdh.generateKeys()
  const auth = randomBytes(16)
  const path = `/envio/${randomBytes(8).toString('hex')}`
  const endpoint = `${service.url}${path}`
  return {
    path,
    subscription: (change = {}) =>
      inscricaoPushCreateSchema.parse({
        endpoint,
        chaves: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') },
        gravidade_min: 'baixa',
        nome: 'Celular',
        ...change,
      }),
    read({ headers, body }, chavePublica) {
      requireSignature(headers.authorization ?? '', chavePublica, new URL(service.url).origin)
      const idBytes = body.readUInt8(20)
      const sender = body.subarray(21, 21 + idBytes)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), own, sender])
      const ikm = Buffer.from(hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32))
      const derive = (name: string, bytes: number) =>
        Buffer.from(hkdfSync('sha256', ikm, body.subarray(0, 16), `Content-Encoding: ${name}\0`, bytes))
      const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
      decipher.setAuthTag(body.subarray(-16))
      const padded = Buffer.concat([decipher.update(body.subarray(21 + idBytes, -16)), decipher.final()])
      return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString('utf8'))
    },
  }
}

function requireSignature(authorization: string, chavePublica: string, audience: string): void {
  const [, token = '', key] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? []
  if (key !== chavePublica) throw new Error(`not signed by the published key: ${authorization}`)
  const raw = Buffer.from(chavePublica, 'base64url')
  const [x, y] = [raw.toString('base64url', 1, 33), raw.toString('base64url', 33)]
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const [head = '', claims = '', signature = ''] = token.split('.')
  const signed = { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, 'base64url')))
    throw new Error('wrong signature')
  const { aud } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))
  if (aud !== audience) throw new Error(`signed for ${aud}`)
}
