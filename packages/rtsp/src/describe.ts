import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Credentials, respond } from './digest.ts'
import { type Endpoint, type Exchange, type Line, openLine, type Unreachable } from './line.ts'
import type { LoginGate, LoginResult } from './login-gate.ts'
import { judgeRedirection } from './redirect.ts'
import { type RtspUrl, readRtspUrl } from './rtsp-url.ts'
import { parseSdp, type SdpVideo } from './sdp.ts'

export interface DescribeOptions {
  /** Addresses of the host, tried in this order until one accepts the connection. */
  readonly addresses: readonly string[]
  /** Called with the address that accepted the connection. */
  readonly onReached?: (address: string) => void
  /** The request contains it without userinfo; the connection does not use its host. */
  readonly url: string
  /** Sent only after a challenge. Null: no credentials. */
  readonly credentials: Credentials | null
  /** The URL itself contains the credentials, so that each request is a login. */
  readonly isLogin?: boolean
  readonly gate: LoginGate
  /** Time limit of the connection and of each reply. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export type Described =
  /**
   * An answer with any status but 401. `video` is null for every status but 200, and for a description without video.
   */
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly video: SdpVideo | null
      readonly loggedIn: boolean
      /** The address of a redirection that is not followed: scheme, host and port; absent: none. */
      readonly elsewhere?: string
    }
  /** 401. `tried`: credentials were sent. */
  | { readonly kind: 'unauthorized'; readonly tried: boolean }
  /** The server requires a login, and the gate allows no further one. */
  | { readonly kind: 'withheld' }
  | { readonly kind: 'unreachable'; readonly why: Unreachable }
  | Exclude<Exchange, { readonly kind: 'reply' }>

const HANG_UP_MS = 20

/**
 * One DESCRIBE over one connection, signed when the server asks for it (RFC 2326 10.2). One redirection to the address
 * of the connection is followed; another one is an answer without video. Rejects only for a defect of this machine.
 */
export async function describe(options: DescribeOptions): Promise<Described> {
  const target = readRtspUrl(options.url)
  const { address, ...first } = await describeAt(target, options.addresses, options)
  if (first.described.kind !== 'answer' || address === null) return first.described
  const next = await judgeRedirection(first.described.status, first.location, target, address)
  if (!next?.target) return next ? { ...first.described, elsewhere: next.address } : first.described
  const { described, location } = await describeAt(next.target, [address], options)
  if (described.kind === 'unreachable') return { ...first.described, elsewhere: next.address }
  if (described.kind !== 'answer') return described
  const again = await judgeRedirection(described.status, location, next.target, address)
  return again ? { ...described, elsewhere: again.address } : described
}

interface Attempt {
  readonly described: Described
  /** Address of the connection; null: none. */
  readonly address: string | null
  /** Location header of the answer. */
  readonly location?: string | undefined
}

async function describeAt(
  { uri, porta, tls }: RtspUrl,
  addresses: readonly string[],
  options: DescribeOptions,
): Promise<Attempt> {
  const { credentials, gate } = options
  let location: string | undefined
  let why: Unreachable = 'no_route'
  for (const address of addresses) {
    const opened = await openLine({ address, porta, tls }, options)
    if (opened.ok) {
      options.onReached?.(address)
      const described = await converse(opened.line, { address, porta, tls })
      return { described, address, location }
    }
    if (opened.why === 'aborted') return { described: { kind: 'aborted' }, address: null }
    why = opened.why
  }
  return { described: { kind: 'unreachable', why }, address: null }

  async function converse(first: Line, endpoint: Endpoint): Promise<Described> {
    let line = first
    let cseq = 0
    const ask = async (authorization: string | null): Promise<Exchange> => {
      const headers = [`CSeq: ${++cseq}`, 'Accept: application/sdp', 'User-Agent: Vigia']
      if (authorization !== null) headers.push(`Authorization: ${authorization}`)
      const exchange = await line.exchange(`DESCRIBE ${uri} RTSP/1.0\r\n${headers.join('\r\n')}\r\n\r\n`, cseq)
      location = exchange.kind === 'reply' ? exchange.reply.headers.get('location')?.[0] : undefined
      return exchange
    }
    const sign = (challenges: readonly string[]): string | null => {
      const use = { nonceCount: 1, cnonce: randomBytes(16).toString('hex') }
      return credentials && respond(challenges, credentials, { method: 'DESCRIBE', uri }, use)
    }
    const logIn = async (challenges: readonly string[]): Promise<Exchange> => {
      // Some servers close after each refusal, with a short delay; the challenge stays valid on the next connection. A
      // login on a closing connection would have to be repeated, and the server might count both.
      await sleep(HANG_UP_MS)
      if (!line.isOpen) {
        await line.close()
        const again = await openLine(endpoint, options)
        if (!again.ok) return again.why === 'aborted' ? { kind: 'aborted' } : { kind: 'cut', isRtsp: true }
        line = again.line
      }
      return await ask(sign(challenges))
    }

    try {
      const opening = options.isLogin ? await gate.pass(() => ask(null), judgeUrlLogin) : await ask(null)
      if (!opening) return { kind: 'withheld' }
      const challenges = challengesOf(opening)
      if (!challenges || options.isLogin) return outcome(opening, options.isLogin === true)
      // No credentials, or no scheme that both ends support.
      if (sign(challenges) === null) return { kind: 'unauthorized', tried: false }
      const signed = await gate.pass(async () => {
        const exchange = await logIn(challenges)
        const renewed = challengesOf(exchange)
        // The password was right and the nonce expired: one more attempt.
        return renewed?.some(isStale) ? await logIn(renewed) : exchange
      }, judgeLogin)
      if (!signed) return { kind: 'withheld' }
      // The server sent a challenge, so it speaks RTSP.
      return 'isRtsp' in signed ? { ...signed, isRtsp: true } : outcome(signed, true)
    } finally {
      await line.close()
    }
  }
}

/** Returns the challenges of a 401; null for any other answer. */
const challengesOf = (exchange: Exchange): readonly string[] | null =>
  exchange.kind === 'reply' && exchange.reply.status === 401
    ? (exchange.reply.headers.get('www-authenticate') ?? [])
    : null

const isStale = (challenge: string): boolean => /\bstale\s*=\s*"?true/i.test(challenge)

function outcome(exchange: Exchange, tried: boolean): Described {
  if (exchange.kind !== 'reply') return exchange
  const { status, body } = exchange.reply
  if (status === 401) return { kind: 'unauthorized', tried }
  const video = status === 200 ? parseSdp(body.toString('utf8')).video : null
  return { kind: 'answer', status, video, loggedIn: tried }
}

/** 403 and 453 also mean too many connections, and 503 that the server is busy: sent before the password is checked. */
export const isBusyStatus = (status: number): boolean => status === 403 || status === 453 || status === 503

function judgeLogin(exchange: Exchange): LoginResult {
  if (exchange.kind === 'cut') return 'unclear'
  if (exchange.kind !== 'reply') return 'unanswered'
  const { status } = exchange.reply
  // Some servers also send Forbidden to a locked-out address.
  return status === 401 ? 'wrong' : status === 403 ? 'unclear' : 'right'
}

/** Without a challenge only a stream proves that the password in the URL was accepted. */
function judgeUrlLogin(exchange: Exchange): LoginResult {
  const result = judgeLogin(exchange)
  if (result !== 'right' || exchange.kind !== 'reply' || exchange.reply.status === 200) return result
  return isBusyStatus(exchange.reply.status) ? 'unclear' : 'unanswered'
}
