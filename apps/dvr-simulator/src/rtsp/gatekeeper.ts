import { createHmac, randomBytes } from 'node:crypto'
import { type Algorithm, sameText, type Verification, verify } from '@vigia/rtsp/digest'
import type { StreamPath } from '@vigia/rtsp/maker-urls'
import type { RtspRequest, RtspResponse } from './message.ts'

export type Scheme = 'md5' | 'sha256' | 'basic'

/** Credentials in a path (XM family). */
type LoginPath = Pick<StreamPath, 'usuario' | 'senha'>

export interface GatekeeperOptions {
  /** Null: no login required. */
  readonly credentials: { readonly usuario: string; readonly senha: string } | null
  readonly scheme: Scheme
  /** Age from which a nonce is stale; on recorders a nonce may expire during a session. */
  readonly nonceLifeMs: number
  /** Failed logins after which an address is locked out, as on Hikvision. Left out: never. */
  readonly lockAfter?: number
  /** Milliseconds, monotonic. */
  readonly now: () => number
}

export interface Gatekeeper {
  /** Null: let in. Otherwise the 401 to send. `from`: address of the client. */
  check(request: RtspRequest, path: LoginPath | null, from: string): RtspResponse | null
  /** A 401 without a usable challenge. */
  refuse(): RtspResponse
  /** The 401 for a right signature with an expired nonce. */
  askAgain(): RtspResponse
  /** Number of wrong passwords; requests without a password do not count. */
  readonly failedLogins: number
}

const REALM = 'Vigia Simulador'
const algorithms: Record<'md5' | 'sha256', Algorithm> = { md5: 'MD5', sha256: 'SHA-256' }

/** Authentication of requests. Nonces are signed times, so that abandoned clients use no memory. */
export function createGatekeeper({
  credentials,
  scheme,
  nonceLifeMs,
  lockAfter = Number.POSITIVE_INFINITY,
  now,
}: GatekeeperOptions): Gatekeeper {
  const key = randomBytes(32)
  const sign = (time: string) => createHmac('sha256', key).update(time).digest('hex').slice(0, 32)
  const newNonce = () => {
    const time = Math.floor(now()).toString(36)
    return `${time}-${sign(time)}`
  }
  const nonceIs = (nonce: string) => {
    const [time = '', signature = ''] = nonce.split('-')
    if (!sameText(signature, sign(time))) return 'unknown'
    return now() - Number.parseInt(time, 36) > nonceLifeMs ? 'stale' : 'valid'
  }
  const challenge = (stale: boolean): RtspResponse => {
    const value =
      scheme === 'basic'
        ? `Basic realm="${REALM}"`
        : // The challenge has no qop, as on recorders: every client supports this form (RFC 2069).
          `Digest realm="${REALM}", nonce="${newNonce()}", ` +
          `algorithm=${algorithms[scheme]}${stale ? ', stale=true' : ''}`
    return { status: 401, headers: { 'WWW-Authenticate': value } }
  }
  let failedLogins = 0
  const failuresOf = new Map<string, number>()

  function judge(given: NonNullable<typeof credentials>, request: RtspRequest, path: LoginPath | null): Verification {
    if (path?.senha !== undefined) {
      // The XM forms have the credentials in the path; these recorders need and read no header.
      const user = sameText(path.usuario ?? '', given.usuario)
      const password = sameText(path.senha, given.senha)
      return user && password ? 'ok' : 'wrong'
    }
    return verify(request.headers.get('authorization'), request, {
      ...given,
      realm: REALM,
      scheme: scheme === 'basic' ? 'basic' : algorithms[scheme],
      nonceIs,
    })
  }

  return {
    check(request, path, from) {
      if (!credentials) return null
      const result = judge(credentials, request, path)
      const failures = failuresOf.get(from) ?? 0
      if (result === 'wrong') {
        failedLogins++
        failuresOf.set(from, failures + 1)
      }
      // A locked-out client gets the same answer for the right password.
      if (failures >= lockAfter) return challenge(false)
      if (result === 'ok') failuresOf.delete(from)
      return result === 'ok' ? null : challenge(result === 'stale')
    },
    refuse: () => challenge(false),
    askAgain: () => challenge(true),
    get failedLogins() {
      return failedLogins
    },
  }
}
