import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { ACESSO_S, type ChavesPublicas } from '@vigia/contracts/oauth'
import { calculateJwkThumbprint, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../../adapters/clock.ts'
import type { SecretBox } from '../../adapters/secret-box.ts'
import { secretPurposes } from '../../adapters/secret-purposes.ts'
import type { Database } from '../../db/open.ts'
import { endedKeys, isDue, signingKey, signsFrom } from './key-schedule.ts'
import { addKeyAfter, deleteKeys, type KeyRow, listKeys } from './keys-store.ts'

type PublicJwk = ChavesPublicas['keys'][number]

/** Claims of an access token (RFC 9068, and the login's role and Empresa when it was issued). */
export interface AccessClaims {
  readonly iss: string
  readonly sub: string
  readonly aud: string
  readonly client_id: string
  readonly scope: string
  readonly papel: string
  readonly empresa_id: number | null
  /** Seconds. */
  readonly iat: number
  readonly exp: number
  readonly jti: string
}

export interface SigningKeys {
  /** Every key by which a token may be verified now or within the next day (RFC 7517). */
  published(): Promise<ChavesPublicas>
  /** What signs with the key in use. Taken before anything is written: a key that cannot be had leaves all as it was. */
  signer(): Promise<(claims: AccessClaims) => Promise<string>>
  /** null: not an access token of ours for this issuer and audience, or not at this time. */
  verify(token: string, expected: { readonly issuer: string; readonly audience: string }): Promise<JWTPayload | null>
}

interface SigningKeysDeps {
  readonly db: Database
  readonly clock: Clock
  readonly box: SecretBox
}

const ALGORITHM = 'RS256'
/** RFC 9068 section 2.1: no other kind of JWT is taken for an access token. */
const TYPE = 'at+jwt'
/** Seconds by which the clocks of two replicas may differ. */
const CLOCK_TOLERANCE_S = 5

/** The keys of access tokens: made, replaced and removed as time passes, whenever somebody asks for them. */
export function createSigningKeys({ db, clock, box }: SigningKeysDeps): SigningKeys {
  /** The key that signs, opened. */
  let opened: { readonly kid: string; readonly key: KeyObject } | null = null
  let renewing: Promise<void> | null = null

  /** The keys as they have to be now. Callers that come together wait for one and the same renewal. */
  async function current(): Promise<KeyRow[]> {
    const keys = await listKeys(db)
    const now = clock.now()
    if (!isDue(keys.at(-1), now) && endedKeys(keys, now).length === 0) return keys
    renewing ??= renew().finally(() => {
      renewing = null
    })
    await renewing
    return listKeys(db)
  }

  async function renew(): Promise<void> {
    const keys = await listKeys(db)
    const now = clock.now()
    const newest = keys.at(-1)
    if (isDue(newest, now)) {
      const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
      const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
      const kid = await calculateJwkThumbprint({ kty: 'RSA', n, e })
      const jwk: PublicJwk = { kty: 'RSA', n, e, kid, alg: ALGORITHM, use: 'sig' }
      const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
      const row = { kid, publica_json: JSON.stringify(jwk), criada_em: now, assina_desde: signsFrom(newest, now) }
      await addKeyAfter(db, Math.max(0, ...keys.map(({ id }) => id)), row, (id) =>
        box.seal(pem, secretPurposes.chaveOauth(id)),
      )
    }
    const ended = endedKeys(keys, now)
    if (ended.length > 0)
      await deleteKeys(
        db,
        ended.map(({ id }) => id),
      )
  }

  function privateKeyOf({ id, kid, privada_cifrada }: KeyRow): KeyObject {
    if (opened?.kid === kid) return opened.key
    const key = createPrivateKey(box.open(privada_cifrada, secretPurposes.chaveOauth(id)))
    opened = { kid, key }
    return key
  }

  return {
    async published() {
      return { keys: (await current()).map(publicJwk) }
    },
    async signer() {
      const keys = await current()
      const row = signingKey(keys, clock.now())
      if (!row) throw new Error('no signing key')
      const key = privateKeyOf(row)
      return (claims) =>
        new SignJWT({ ...claims }).setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: row.kid }).sign(key)
    },
    async verify(token, { issuer, audience }) {
      const keys = await listKeys(db)
      try {
        const { payload } = await jwtVerify(
          token,
          ({ kid }) => {
            // By our own rows alone: whatever else the header names (jku, x5u, jwk) is the sender's own word.
            const row = keys.find((key) => key.kid === kid)
            if (!row) throw new errors.JWKSNoMatchingKey()
            return createPublicKey({ key: publicJwk(row), format: 'jwk' })
          },
          {
            algorithms: [ALGORITHM],
            typ: TYPE,
            issuer,
            audience,
            requiredClaims: ['sub', 'client_id', 'scope', 'iat', 'exp', 'jti'],
            maxTokenAge: ACESSO_S,
            clockTolerance: CLOCK_TOLERANCE_S,
            currentDate: new Date(clock.now()),
          },
        )
        return payload
      } catch (error) {
        if (error instanceof errors.JOSEError) return null
        throw error
      }
    },
  }
}

const publicJwk = (row: KeyRow): PublicJwk => JSON.parse(row.publica_json)
