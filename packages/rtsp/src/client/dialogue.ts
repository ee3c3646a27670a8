import { randomBytes } from 'node:crypto'
import { type Credentials, respond } from '../digest.ts'
import type { Reply } from '../reply.ts'
import type { ServerRequest } from './wire.ts'

/** Result of a request. `gone`: the connection ended before the reply. */
export type Answer = { readonly kind: 'reply'; readonly reply: Reply } | { readonly kind: 'gone' }

export type Headers = Readonly<Record<string, string>>

export interface Dialogue {
  /** Sends a request and waits for its reply. Answers a 401 with the credentials; sends a wrong password only once. */
  request(method: string, uri: string, headers?: Headers): Promise<Answer>
  /** Sends a request without waiting for its reply. */
  notify(method: string, uri: string, headers?: Headers): void
  reply(reply: Reply): void
  /** Answers a request of the server: 200 for keep-alives, else 501. */
  serve(request: ServerRequest): void
  /** The connection ended. */
  end(): void
  /** Challenges of the last 401; needed when the server closes the connection after it. */
  readonly challenges: readonly string[]
  /** Whether a signed request was accepted. */
  readonly accepted: boolean
}

export interface DialogueOptions {
  readonly send: (text: string) => void
  readonly credentials: Credentials | null
  /** From an earlier connection. */
  readonly challenges: readonly string[]
}

/** Three tries: unsigned, signed, and signed again with a fresh nonce. */
const MAX_TRIES = 3
/** Largest number of pending requests; bounds memory when a server never answers keep-alives. */
const MAX_PENDING = 8
const HARMLESS = new Set(['OPTIONS', 'GET_PARAMETER', 'SET_PARAMETER', 'ANNOUNCE', 'TEARDOWN'])

/** The client's side of a connection (RFC 2326 4 to 12): CSeq, authentication, replies to the server's requests. */
export function createDialogue({ send, credentials, challenges: known }: DialogueOptions): Dialogue {
  const pending = new Map<number, (answer: Answer) => void>()
  let cseq = 0
  let ended = false
  let challenges = known
  let nonceCount = 0
  /** Whether the challenges in use were accepted: a later 401 then means another nonce, not another password. */
  let accepted = false

  function sign(method: string, uri: string): string | null {
    if (!credentials || challenges.length === 0) return null
    const use = { nonceCount: ++nonceCount, cnonce: randomBytes(16).toString('hex') }
    return respond(challenges, credentials, { method, uri }, use)
  }

  /** False without credentials and for unsupported schemes. */
  const canSign = (asked: readonly string[], method: string, uri: string): boolean =>
    credentials !== null && respond(asked, credentials, { method, uri }, { nonceCount: 1, cnonce: '0' }) !== null

  function write(method: string, uri: string, headers: Headers, id: number, authorization: string | null): void {
    const lines = [`${method} ${uri} RTSP/1.0`, `CSeq: ${id}`, 'User-Agent: Vigia']
    if (authorization !== null) lines.push(`Authorization: ${authorization}`)
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
    send(`${lines.join('\r\n')}\r\n\r\n`)
  }

  function exchange(method: string, uri: string, headers: Headers): Promise<Answer & { signed: boolean }> {
    if (ended) return Promise.resolve({ kind: 'gone', signed: false })
    const id = ++cseq
    return new Promise((resolve) => {
      const oldest = pending.size >= MAX_PENDING ? pending.keys().next().value : undefined
      if (oldest !== undefined) settle(oldest, { kind: 'gone' })
      const authorization = sign(method, uri)
      // Registered before the write, because the reply may arrive during the write.
      pending.set(id, (answer) => resolve({ ...answer, signed: authorization !== null }))
      write(method, uri, headers, id, authorization)
    })
  }

  function settle(id: number, answer: Answer): void {
    const resolve = pending.get(id)
    pending.delete(id)
    resolve?.(answer)
  }

  return {
    async request(method, uri, headers = {}) {
      for (let tries = 1; ; tries++) {
        const { signed, ...answer } = await exchange(method, uri, headers)
        if (answer.kind === 'gone') return answer
        if (answer.reply.status !== 401) {
          accepted ||= signed
          return answer
        }
        const asked = answer.reply.headers.get('www-authenticate') ?? []
        // The right password with an expired nonce may be sent again; a wrong one may not: recorders count failures.
        const isNonce = accepted || asked.some(isStale)
        accepted = false
        if (tries === MAX_TRIES || (signed && !isNonce) || !canSign(asked, method, uri)) return answer
        challenges = asked
        nonceCount = 0
      }
    },
    notify(method, uri, headers = {}) {
      if (!ended) write(method, uri, headers, ++cseq, sign(method, uri))
    },
    reply(reply) {
      // The final reply follows a provisional one.
      if (reply.status < 200) return
      const named = reply.headers.get('cseq')?.[0]
      const [oldest] = pending.keys()
      // Some firmware omits the number or sends 0. With one pending request, the reply belongs to it.
      const isUnnamed = named === undefined || (pending.size === 1 && !pending.has(Number(named)))
      const id = isUnnamed ? oldest : Number(named)
      if (id !== undefined) settle(id, { kind: 'reply', reply })
    },
    serve({ method, cseq: id }) {
      if (ended || !/^\d{1,10}$/.test(id)) return
      send(`RTSP/1.0 ${HARMLESS.has(method) ? '200 OK' : '501 Not Implemented'}\r\nCSeq: ${id}\r\n\r\n`)
    },
    end() {
      ended = true
      for (const id of [...pending.keys()]) settle(id, { kind: 'gone' })
    },
    get challenges() {
      return challenges
    },
    get accepted() {
      return accepted
    },
  }
}

const isStale = (challenge: string): boolean => /\bstale\s*=\s*"?true/i.test(challenge)
