import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { sameText, verify } from '@vigia/rtsp/digest'
import { passwordDigest } from '@vigia/rtsp/soap'
import { childAt, type XmlElement } from '@vigia/rtsp/xml'

export interface LoginOptions {
  /** Null: no login required. */
  readonly credentials: { readonly usuario: string; readonly senha: string } | null
  /** WS-Security UsernameToken with a digest, or only with the password itself; or HTTP Digest. */
  readonly login: 'token' | 'texto' | 'digest'
  /** Time of the device's clock, in epoch ms. */
  readonly now: () => number
}

export interface OnvifLogin {
  /** `late`: the token is of another time. */
  judge(request: IncomingMessage, envelope: XmlElement): 'ok' | 'absent' | 'wrong' | 'late'
  /** WWW-Authenticate of a refusal; null: only a SOAP fault reports it. */
  readonly challenge: string | null
}

/** Largest difference between the token's time and the device's clock; other tokens are refused. */
const CLOCK_WINDOW_MS = 5 * 60_000
const REALM = 'Vigia Simulador ONVIF'

export function createOnvifLogin({ credentials, login, now }: LoginOptions): OnvifLogin {
  const nonce = randomBytes(16).toString('hex')
  const seen = new Set<string>()

  function judgeText({ usuario, senha }: NonNullable<typeof credentials>, envelope: XmlElement) {
    const token = childAt(envelope, 'Header', 'Security', 'UsernameToken')
    if (!token) return 'absent'
    const password = childAt(token, 'Password')
    const isText = password?.attributes.get('Type')?.endsWith('#PasswordText') === true
    const isRight = sameText(childAt(token, 'Username')?.text ?? '', usuario) && sameText(password?.text ?? '', senha)
    return isText && isRight ? 'ok' : 'wrong'
  }

  function judgeToken(given: NonNullable<typeof credentials>, envelope: XmlElement) {
    const token = childAt(envelope, 'Header', 'Security', 'UsernameToken')
    if (!token) return 'absent'
    const [user = '', password = '', tokenNonce = '', created = ''] = ['Username', 'Password', 'Nonce', 'Created'].map(
      (name) => childAt(token, name)?.text,
    )
    const isTimely = Math.abs(Date.parse(created) - now()) <= CLOCK_WINDOW_MS
    const isNew = !seen.has(tokenNonce)
    seen.add(tokenNonce)
    const digest = passwordDigest(Buffer.from(tokenNonce, 'base64'), created, given.senha)
    if (!isTimely) return 'late'
    return isNew && sameText(user, given.usuario) && sameText(password, digest) ? 'ok' : 'wrong'
  }

  return {
    judge(request, envelope) {
      if (!credentials) return 'ok'
      if (login === 'token') return judgeToken(credentials, envelope)
      if (login === 'texto') return judgeText(credentials, envelope)
      const asked = { method: request.method ?? '', uri: request.url ?? '' }
      const result = verify(request.headers.authorization, asked, {
        ...credentials,
        realm: REALM,
        scheme: 'MD5',
        nonceIs: (one) => (one === nonce ? 'valid' : 'unknown'),
      })
      return result === 'stale' ? 'wrong' : result
    },
    challenge: login === 'digest' ? `Digest realm="${REALM}", nonce="${nonce}", qop="auth", algorithm=MD5` : null,
  }
}
