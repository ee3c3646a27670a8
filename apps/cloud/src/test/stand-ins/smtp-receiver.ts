import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly secure: boolean
  /** Header names in lower case, values decoded; a repeated name keeps all values. */
  readonly headers: readonly (readonly [string, string])[]
  readonly text: string
  readonly html: string
  readonly pictures: readonly { readonly type: string; readonly cid: string; readonly content: Buffer }[]
}

export interface SmtpReceiver {
  readonly port: number
  readonly mails: readonly ReceivedMail[]
  /** Attempted logins: name, password, with or without TLS. */
  readonly logins: readonly (readonly [string, string, boolean])[]
  close(): Promise<void>
}

/**
 * A real SMTP server on 127.0.0.1 that accepts one login, and every recipient except `ninguem@…`.
 * @param judge is called with the recipient of each mail before its acceptance; a rejection refuses the mail
 */
export async function startSmtpReceiver(
  login: { readonly user: string; readonly pass: string },
  options: SMTPServerOptions,
  judge: (to: string) => Promise<void> = async () => {},
): Promise<SmtpReceiver> {
  const mails: ReceivedMail[] = []
  const logins: [string, string, boolean][] = []
  const server = new SMTPServer({
    ...options,
    onAuth: ({ username, password }, { secure }, done) => {
      logins.push([username ?? '', password ?? '', secure])
      if (username === login.user && password === login.pass) done(null, { user: username })
      else done(new Error(`Wrong password ${password}`))
    },
    onRcptTo: ({ address }, _session, done) => {
      if (address.startsWith('ninguem@')) done(Object.assign(new Error(`No ${address} here`), { responseCode: 550 }))
      else done()
    },
    onData: (stream, { envelope, secure }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        const to = envelope.rcptTo.map(({ address }) => address)
        const take = () => {
          mails.push({ from, to, secure, ...readMail(Buffer.concat(chunks).toString('latin1')) })
          done()
        }
        judge(to[0] ?? '').then(take, done)
      })
    },
  })
  server.on('error', () => {
    // Some tests have a client that aborts the TLS handshake.
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    mails,
    logins,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

function readMail(raw: string): Pick<ReceivedMail, 'headers' | 'text' | 'html' | 'pictures'> {
  const parts = leaves(raw)
  const part = (type: string) => parts.find((one) => one.type.startsWith(type))?.content.toString('utf8') ?? ''
  return {
    headers: split(raw).headers.map(([name, text]) => [name, decodeWords(text)]),
    text: part('text/plain'),
    html: part('text/html'),
    pictures: parts.filter(({ type }) => type.startsWith('image/')),
  }
}

interface Leaf {
  readonly type: string
  readonly cid: string
  readonly content: Buffer
}

/** Parts of a MIME message (RFC 2046) that contain no further parts. */
function leaves(raw: string): Leaf[] {
  const { headers, body } = split(raw)
  const type = value(headers, 'content-type')
  const boundary = /^multipart\/.*boundary="([^"]+)"/.exec(type)?.[1]
  if (boundary === undefined) {
    const content = decodeBody(body.replace(/\r\n$/, ''), value(headers, 'content-transfer-encoding'))
    const cid = value(headers, 'content-id').replace(/^<|>$/g, '')
    return [{ type: type.split(';')[0] ?? '', cid, content }]
  }
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((part) => leaves(part.replace(/^\r\n/, '')))
}

function split(raw: string): { headers: [string, string][]; body: string } {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { headers, body: raw.slice(end + 4) }
}

const value = (headers: readonly (readonly [string, string])[], name: string): string =>
  headers.find(([key]) => key === name)?.[1] ?? ''

const quoted = (text: string): Buffer =>
  Buffer.from(
    text
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

/** RFC 2047. */
const decodeWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, form: string, word: string) =>
      (form.toLowerCase() === 'b' ? Buffer.from(word, 'base64') : quoted(word.replaceAll('_', ' '))).toString('utf8'),
    )

const decodeBody = (body: string, encoding: string): Buffer =>
  encoding === 'base64'
    ? Buffer.from(body, 'base64')
    : encoding === 'quoted-printable'
      ? quoted(body)
      : Buffer.from(body, 'latin1')
