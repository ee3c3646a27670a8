import { createHash, randomBytes } from 'node:crypto'
import type { ChamadaOnvif } from '@vigia/contracts/chamada-onvif'
import { isOwnNetwork } from './address-policy.ts'
import { type Contact, withSlot } from './contact.ts'
import { type Credentials, respond } from './digest.ts'
import { type Exchanged, exchange } from './http-exchange.ts'
import type { Unreachable } from './line.ts'
import { childAt, escapeXml, parseXml, type XmlElement } from './xml.ts'

export type SoapAnswer =
  /** The only element in the body. */
  | { readonly kind: 'answer'; readonly element: XmlElement }
  /** `namesTime`: the reason is the time of the login. */
  | { readonly kind: 'denied'; readonly namesTime?: true }
  /** An error reported by the device, including redirections. */
  | { readonly kind: 'fault' }
  | Exclude<Exchanged, { readonly kind: 'reply' }>

export interface SoapClient {
  /** Sends the body to the service at the path, and logs in after a challenge. */
  call(path: string, body: string): Promise<SoapAnswer>
  /** Sends the body without a login. */
  callOpenly(path: string, body: string): Promise<SoapAnswer>
  /** The last call, with the port and the login that it used; null: none yet. */
  readonly last: ChamadaOnvif | null
  /** Time of the logins minus the clock of this machine, ms. */
  readonly offsetMs: number
}

/**
 * Possible times of the device minus the clock of this machine, ms: it refuses a UsernameToken that names another time
 * than its own. Each further one costs a refused login if the password is wrong. `afterHintMs`: while the device names
 * the time as the reason.
 */
export interface LoginTimes {
  readonly usualMs: readonly number[]
  readonly afterHintMs: readonly number[]
}

export const rightTime: LoginTimes = { usualMs: [0], afterHintMs: [0] }
/** Recorders lock a user after five refused logins. */
const MAX_LOGINS = 3

export interface SoapOptions {
  readonly contact: Contact
  readonly porta: number
  /** Null: no credentials. */
  readonly credentials: Credentials | null
  readonly times: () => LoginTimes
  /** A UsernameToken contains the password itself; it goes only to an address of a private network. */
  readonly isPlain?: boolean
  readonly timeoutMs: number
}

const ENVELOPE = 'http://www.w3.org/2003/05/soap-envelope'
const WSS = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-'

/** `PasswordDigest` of WS-Security UsernameToken Profile 1.0, section 3.1. `nonce` as its bytes. */
export const passwordDigest = (nonce: Buffer, created: string, senha: string): string =>
  createHash('sha1').update(nonce).update(created, 'utf8').update(senha, 'utf8').digest('base64')

/** The password itself (UsernameToken Profile 1.0, `PasswordText`), or a digest of it with a nonce and a time. */
function usernameToken({ usuario, senha }: Credentials, now: number, isPlain: boolean): string {
  const nonce = randomBytes(16)
  const created = new Date(now).toISOString()
  return [
    `<s:Header><w:Security xmlns:w="${WSS}wssecurity-secext-1.0.xsd" s:mustUnderstand="1"><w:UsernameToken>`,
    `<w:Username>${escapeXml(usuario)}</w:Username>`,
    `<w:Password Type="${WSS}username-token-profile-1.0#${isPlain ? 'PasswordText' : 'PasswordDigest'}">`,
    `${isPlain ? escapeXml(senha) : passwordDigest(nonce, created, senha)}</w:Password>`,
    `<w:Nonce EncodingType="${WSS}soap-message-security-1.0#Base64Binary">${nonce.toString('base64')}</w:Nonce>`,
    `<u:Created xmlns:u="${WSS}wssecurity-utility-1.0.xsd">${created}</u:Created>`,
    '</w:UsernameToken></w:Security></s:Header>',
  ].join('')
}

/**
 * SOAP 1.2 client of one device. Logs in as in ONVIF Core 5.9: only after a challenge, by HTTP Digest if the device
 * requests it, else by UsernameToken. A wrong password causes one failed login for each possible time of the
 * device (at most 3): no requests follow. Callers make one call at a time until a call with a login has succeeded.
 */
export function createSoapClient({
  contact,
  porta,
  credentials,
  times,
  isPlain = false,
  timeoutMs,
}: SoapOptions): SoapClient {
  const { reach, signal, slots } = contact
  const host = contact.host.includes(':') ? `[${contact.host.replace(/%.*/, '')}]` : contact.host
  /** Login method; null: no challenge so far. */
  let login: { readonly challenges: readonly string[]; uses: number } | null = null
  let verdict: 'right' | 'wrong' | 'unknown' = 'unknown'
  /** The time in use; null: the first one. */
  let usedMs: number | null = null
  let last: ChamadaOnvif | null = null
  const offsetMs = () => usedMs ?? times().usualMs[0] ?? 0

  async function send(path: string, body: string): Promise<Exchanged> {
    const use = { nonceCount: login ? ++login.uses : 0, cnonce: randomBytes(16).toString('hex') }
    const isSigned = login !== null && credentials !== null
    const authorization = isSigned && respond(login?.challenges ?? [], credentials, { method: 'POST', uri: path }, use)
    const hasToken = isSigned && !authorization
    const how = !isSigned ? 'nenhum' : authorization ? 'resumo_http' : isPlain ? 'texto_ws' : 'resumo_ws'
    last = { chamada: /^<(\w{1,40})/.exec(body)?.[1] ?? 'ONVIF', porta, login: how }
    const header = hasToken ? usernameToken(credentials, Date.now() + offsetMs(), isPlain) : ''
    const message = {
      path,
      headers: {
        'Content-Type': 'application/soap+xml; charset=utf-8',
        ...(authorization && { Authorization: authorization }),
      },
      body:
        `<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="${ENVELOPE}">` +
        `${header}<s:Body>${body}</s:Body></s:Envelope>`,
    }
    let why: Unreachable | undefined
    for (const address of reach().addresses) {
      if (hasToken && isPlain && !isOwnNetwork(address)) continue
      const posted = await withSlot(`http://${host}/`, slots, signal, () =>
        exchange({ ...message, address, porta, host, timeoutMs, signal }),
      )
      if (posted.kind === 'unreachable') why = posted.why
      if (posted.kind === 'unreachable' || posted.kind === 'full') continue
      reach().onReached(address)
      return posted
    }
    return signal.aborted ? { kind: 'aborted' } : { kind: 'unreachable', why }
  }

  async function logIn(path: string, body: string, refusal: Exchanged): Promise<SoapAnswer> {
    login = { challenges: refusal.kind === 'reply' ? refusal.challenges : [], uses: 0 }
    let answer = read(await send(path, body))
    // HTTP Digest names no time.
    const isDated = login.challenges.length === 0
    const tried = [offsetMs()]
    while (answer.kind === 'denied' && verdict === 'unknown' && isDated && tried.length < MAX_LOGINS) {
      const { usualMs, afterHintMs } = times()
      const next = [...usualMs, ...(answer.namesTime ? afterHintMs : [])].find((ms) => !tried.includes(ms))
      if (next === undefined) break
      usedMs = next
      tried.push(next)
      answer = read(await send(path, body))
    }
    if (answer.kind === 'answer') verdict = 'right'
    if (answer.kind === 'denied' && verdict === 'unknown') verdict = 'wrong'
    return answer
  }

  return {
    get offsetMs() {
      return offsetMs()
    },
    get last() {
      return last
    },
    callOpenly: async (path, body) => read(await send(path, body)),
    async call(path, body) {
      if (verdict === 'wrong') return { kind: 'denied' }
      const hadLogin = login !== null
      const posted = await send(path, body)
      const answer = read(posted)
      if (answer.kind !== 'denied' || !credentials) return answer
      // After a success a 401 means an expired nonce; without new challenges no retry is possible.
      if (hadLogin && (posted.kind !== 'reply' || posted.challenges.length === 0)) return answer
      return await logIn(path, body, posted)
    },
  }
}

function read(posted: Exchanged): SoapAnswer {
  if (posted.kind !== 'reply') return posted
  if (posted.status === 401 || posted.status === 403) return { kind: 'denied' }
  const document = parseXml(posted.body)
  const element = document?.name === 'Envelope' ? childAt(document, 'Body')?.children[0] : undefined
  if (!element) return { kind: 'foreign' }
  if (element.name === 'Fault') {
    if (isDenial(element)) return { kind: 'denied', ...(says(element, /\btime|clock|expired/i) && { namesTime: true }) }
    return says(element, TIME_REFUSED) ? { kind: 'denied', namesTime: true } : { kind: 'fault' }
  }
  return posted.status === 200 ? { kind: 'answer', element } : { kind: 'fault' }
}

/** `ter:NotAuthorized` (ONVIF Core 5.8.2) or a fault of WS-Security, in any element. */
const isDenial = (element: XmlElement): boolean => says(element, denial)
const says = (element: XmlElement, pattern: RegExp): boolean =>
  (element.text.length <= MAX_REASON && pattern.test(element.text)) ||
  element.children.some((one) => says(one, pattern))
/** Devices name the time of a login in words. */
const TIME_REFUSED = /(time check|timestamp|created).*(fail|expired|invalid)/i

const MAX_REASON = 256
const denial = /(not ?authorized|failed ?authentication|FailedCheck|InvalidSecurity(Token)?)\W*$/i
