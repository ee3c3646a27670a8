import { request } from 'node:http'
import { openLine } from '../line.ts'

export interface AskOptions {
  readonly address: string
  readonly porta: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Server and realm of an RTSP service. Sends no credentials, so that no recorder counts a failed login. */
export async function rtspBanner(options: AskOptions): Promise<{ server: string; realm: string } | null> {
  const { address, porta } = options
  const opened = await openLine({ address, porta, tls: false }, options)
  if (!opened.ok) return null
  const { line } = opened
  try {
    const headers = ['CSeq: 1', 'Accept: application/sdp', 'User-Agent: Vigia'].join('\r\n')
    const exchange = await line.exchange(`DESCRIBE rtsp://${address}:${porta}/ RTSP/1.0\r\n${headers}\r\n\r\n`, 1)
    if (exchange.kind !== 'reply') return null
    const header = (name: string) => exchange.reply.headers.get(name)?.join(' ') ?? ''
    return { server: header('server'), realm: /realm="([^"]*)"/i.exec(header('www-authenticate'))?.[1] ?? '' }
  } finally {
    await line.close()
  }
}

/** The title is near the beginning of a page. */
const MAX_PAGE = 16 * 1024

/** Server header and title of the page at `/`. Redirections are not followed. Never rejects. */
export function webBanner({
  address,
  porta,
  timeoutMs,
  signal,
}: AskOptions): Promise<{ server: string; title: string } | null> {
  if (signal.aborted) return Promise.resolve(null)
  return new Promise((resolve) => {
    const asked = request({
      host: address,
      port: porta,
      path: '/',
      agent: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(timeoutMs))]),
      headers: { 'User-Agent': 'Vigia', Connection: 'close' },
    })
    asked.on('error', () => resolve(null))
    asked.once('close', () => resolve(null))
    asked.once('response', (response) => {
      const server = String(response.headers.server ?? '')
      let page = ''
      const settle = () => {
        const title = /<title[^>]*>([^<]*)</i.exec(page)?.[1]?.trim() ?? ''
        resolve({ server, title })
        asked.destroy()
      }
      response.setEncoding('latin1')
      response.on('data', (text: string) => {
        page += text
        if (page.length >= MAX_PAGE || page.toLowerCase().includes('</title>')) settle()
      })
      response.once('end', settle)
      response.once('error', settle)
    })
    asked.end()
  })
}
