import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { ACESSO_S, type ChavesPublicas, chavesPublicasSchema } from '@vigia/contracts/oauth'
import { calculateJwkThumbprint, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../../../adapters/clock.ts'
import type { DiskSpace } from '../../../adapters/disk-space.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import { secretPurposes } from '../../../adapters/secret-purposes.ts'
import type { Database } from '../../../db/open.ts'
import type { Logger } from '../../../http/request-log.ts'
import { endedKeys, isDue, signingKey, signsFrom } from './key-schedule.ts'
import { addKeyAfter, deleteKeys, type KeyRow, listKeys } from './keys-store.ts'

type PublicJwk = ChavesPublicas['keys'][number]

/** Claims of an access token (RFC 9068), with the role and Empresa of the login at its issue. */
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
  /** The keys (RFC 7517) that verify tokens now or within the next day. */
  published(): Promise<ChavesPublicas>
  /**
   * Returns a function that signs with the key in use. Call it before any write, so that a missing key changes nothing.
   */
  signer(): Promise<(claims: AccessClaims) => Promise<string>>
  /** null: not a valid access token of this server for this issuer, audience and time. */
  verify(token: string, expected: { readonly issuer: string; readonly audience: string }): Promise<JWTPayload | null>
}

interface SigningKeysDeps {
  readonly db: Database
  readonly clock: Clock
  readonly box: SecretBox
  readonly log: Logger
  readonly disk: Pick<DiskSpace, 'tolerate'>
}

const ALGORITHM = 'RS256'
/** RFC 9068 section 2.1: other JWT types are not accepted as access tokens. */
const TYPE = 'at+jwt'
/** Tolerated clock difference between two replicas. */
const CLOCK_TOLERANCE_S = 5

/** The keys of access tokens. Each use creates, replaces and removes keys as time requires. */
export function createSigningKeys({ db, clock, box, log, disk }: SigningKeysDeps): SigningKeys {
  const openedKey = createKeyOpener(box)
  let renewing: Promise<void> | null = null

  /** The keys, after a renewal if one is due. */
  async function current(): Promise<KeyRow[]> {
    const keys = await listKeys(db)
    const now = clock.now()
    return isDue(keys.at(-1), now) || endedKeys(keys, now).length > 0 ? renewed() : keys
  }

  /** Concurrent callers share one renewal. */
  async function renewed(): Promise<KeyRow[]> {
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
    const signing = signingKey(keys, now)
    if (signing && openedKey(signing) === null) {
      // This key signs without prior publication, because no other key can sign. The damaged key is deleted like any
      // key with a successor.
      if (await addKey({ db, clock, box }, keys, now))
        log.error({ kid: signing.kid }, 'oauth: the signing key is damaged; a new key replaces it')
    } else if (isDue(newest, now)) await addKey({ db, clock, box }, keys, signsFrom(newest, now))
    const ended = endedKeys(keys, now)
    if (ended.length > 0)
      await deleteKeys(
        db,
        ended.map(({ id }) => id),
      )
  }

  return {
    async published() {
      let keys = await listKeys(db)
      // A renewal that fails on a full disk can wait, because a key is published a day before it signs.
      await disk.tolerate(async () => {
        keys = await current()
      })
      return { keys: keys.map(publicJwk).filter((jwk) => jwk !== null) }
    },
    async signer() {
      const usable = (keys: readonly KeyRow[]) => {
        const row = signingKey(keys, clock.now())
        const key = row && openedKey(row)
        return key ? { kid: row.kid, key } : null
      }
      const signing = usable(await current()) ?? usable(await renewed())
      if (!signing) throw new Error('no signing key')
      return (claims) =>
        new SignJWT({ ...claims }).setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: signing.kid }).sign(signing.key)
    },
    async verify(token, { issuer, audience }) {
      const keys = await listKeys(db)
      try {
        const { payload } = await jwtVerify(
          token,
          ({ kid }) => {
            // Only stored keys count: other header fields (jku, x5u, jwk) are under control of the sender.
            const row = keys.find((key) => key.kid === kid)
            const jwk = row ? publicJwk(row) : null
            if (!jwk) throw new errors.JWKSNoMatchingKey()
            return createPublicKey({ key: jwk, format: 'jwk' })
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

/** false: another process has added one. */
async function addKey(
  { db, clock, box }: Pick<SigningKeysDeps, 'db' | 'clock' | 'box'>,
  keys: readonly KeyRow[],
  assina_desde: number,
): Promise<boolean> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const { n, e } = publicPart(publicKey)
  const kid = await calculateJwkThumbprint({ kty: 'RSA', n, e })
  const jwk: PublicJwk = { kty: 'RSA', n, e, kid, alg: ALGORITHM, use: 'sig' }
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const row = { kid, publica_json: JSON.stringify(jwk), criada_em: clock.now(), assina_desde }
  return addKeyAfter(db, Math.max(0, ...keys.map(({ id }) => id)), row, (id) =>
    box.seal(pem, secretPurposes.chaveOauth(id)),
  )
}

/** Decrypts signing keys, and keeps the one in use. null: damaged, or it does not match the published key. */
function createKeyOpener(box: SecretBox) {
  let opened: { readonly kid: string; readonly key: KeyObject } | null = null

  return function openedKey(row: KeyRow): KeyObject | null {
    if (opened?.kid === row.kid) return opened.key
    try {
      const key = createPrivateKey(box.open(row.privada_cifrada, secretPurposes.chaveOauth(row.id)))
      if (publicPart(createPublicKey(key)).n !== publicJwk(row)?.n) return null
      opened = { kid: row.kid, key }
      return key
    } catch {
      return null
    }
  }
}

function publicPart(key: KeyObject): { readonly n: string; readonly e: string } {
  const { n = '', e = '' } = key.export({ format: 'jwk' })
  return { n, e }
}

/** null: damaged. */
function publicJwk(row: KeyRow): PublicJwk | null {
  try {
    return chavesPublicasSchema.shape.keys.element.parse(JSON.parse(row.publica_json))
  } catch {
    return null
  }
}
