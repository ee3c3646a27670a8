import { randomBytes } from 'node:crypto'
import { type Contact, type NoSlot, withSlot } from '../contact.ts'
import { type Credentials, respond } from '../digest.ts'
import { type Exchanged, exchange } from '../http-exchange.ts'
import type { LoginGate, LoginResult } from '../login-gate.ts'

export type DeviceAnswer =
  | { readonly kind: 'answer'; readonly status: number; readonly body: string }
  /** The login was refused, or was not tried because an earlier one was. */
  | { readonly kind: 'denied' }
  | Exclude<Exchanged, { readonly kind: 'reply' }>
  | NoSlot

type Sent = Exchanged | NoSlot

export interface DeviceRequest {
  readonly method: 'GET' | 'POST'
  /** ASCII without blanks. */
  readonly path: string
  readonly body?: string
}

/** Sends the requests of one device in the order of the calls. */
export interface DeviceHttp {
  send(request: DeviceRequest): Promise<DeviceAnswer>
}

export interface DeviceHttpOptions {
  readonly contact: Contact
  readonly porta: number
  /** null: no login. */
  readonly credentials: Credentials | null
  /** Limits the failed logins of the device. */
  readonly gate: LoginGate
  readonly timeoutMs: number
}

const UNAUTHORIZED = 401

/**
 * HTTP client of a device's own interface (CGI, ISAPI). Logs in only after a challenge. A nonce may expire between two
 * requests; the request is then signed once more.
 */
export function createDeviceHttp({ contact, porta, credentials, gate, timeoutMs }: DeviceHttpOptions): DeviceHttp {
  const { reach, signal, slots } = contact
  const host = contact.host.includes(':') ? `[${contact.host.replace(/%.*/, '')}]` : contact.host
  let login: { readonly challenges: readonly string[]; uses: number } | null = null

  async function send({ method, path, body = '' }: DeviceRequest): Promise<Sent> {
    const use = { nonceCount: login ? ++login.uses : 0, cnonce: randomBytes(16).toString('hex') }
    const authorization = login && credentials && respond(login.challenges, credentials, { method, uri: path }, use)
    const headers = {
      ...(method === 'POST' && { 'Content-Type': 'application/xml; charset=utf-8' }),
      ...(authorization && { Authorization: authorization }),
    }
    for (const address of reach().addresses) {
      const exchanged = await withSlot(`http://${host}/`, slots, signal, () =>
        exchange({ method, path, headers, body, address, porta, host, timeoutMs, signal }),
      )
      if (exchanged.kind === 'full') return exchanged
      if (exchanged.kind === 'unreachable') continue
      reach().onReached(address)
      return exchanged
    }
    return { kind: signal.aborted ? 'aborted' : 'unreachable' }
  }

  async function sendSigned(request: DeviceRequest): Promise<Sent | null> {
    const signed = await gate.pass(() => send(request), judge)
    if (signed?.kind !== 'reply' || !isStale(signed)) return signed
    login = { challenges: signed.challenges, uses: 0 }
    return await gate.pass(() => send(request), judge)
  }

  return {
    async send(request) {
      if (login === null) {
        const open = await send(request)
        if (open.kind !== 'reply' || open.status !== UNAUTHORIZED) return read(open)
        if (!credentials || open.challenges.length === 0) return { kind: 'denied' }
        login = { challenges: open.challenges, uses: 0 }
      }
      const signed = await sendSigned(request)
      return signed === null ? { kind: 'denied' } : read(signed)
    },
  }
}

const read = (exchanged: Sent): DeviceAnswer => {
  if (exchanged.kind !== 'reply') return exchanged
  const { status, body } = exchanged
  return status === UNAUTHORIZED ? { kind: 'denied' } : { kind: 'answer', status, body }
}

type Reply = Extract<Exchanged, { readonly kind: 'reply' }>

const isStale = ({ status, challenges }: Reply): boolean =>
  status === UNAUTHORIZED && challenges.some((challenge) => /\bstale\s*=\s*"?true/i.test(challenge))

function judge(exchanged: Sent): LoginResult {
  if (exchanged.kind !== 'reply') return 'unanswered'
  if (isStale(exchanged)) return 'unclear'
  return exchanged.status === UNAUTHORIZED ? 'wrong' : 'right'
}
