import { createHmac, createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import fc from 'fast-check'
import {
  createLocalJWKSet,
  decodeProtectedHeader,
  exportSPKI,
  importJWK,
  type JSONWebKeySet,
  type JWTHeaderParameters,
  jwtVerify,
  SignJWT,
} from 'jose'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSecretBox } from '../../../adapters/secret-box.ts'
import { secretPurposes } from '../../../adapters/secret-purposes.ts'
import type { Database } from '../../../db/open.ts'
import { AUDIENCE, accessClaims, ISSUER } from '../../../test/clients/access-claims.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { roomyDisk } from '../../../test/stand-ins/roomy-disk.ts'
import { type AccessClaims, createSigningKeys, type SigningKeys } from './signing-keys.ts'

const START = Date.UTC(2026, 0, 31, 12)

let dir: string
let db: Database
let now: number
let keys: SigningKeys
const box = createSecretBox(randomBytes(32))
beforeAll(async () => {
  dir = temporaryFolder('vigia-token-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  keys = createSigningKeys({ db, clock: { now: () => now }, box, log: pino({ level: 'silent' }), disk: roomyDisk })
})
beforeEach(() => {
  now = START
})
afterAll(async () => {
  await db.destroy()
  rmSync(dir, { recursive: true })
})

const claims = (change: Partial<AccessClaims> = {}) => accessClaims(now, change)
const sign = async (change: Partial<AccessClaims> = {}) => (await keys.signer())(claims(change))
const verify = (token: string) => keys.verify(token, { issuer: ISSUER, audience: AUDIENCE })
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const headerOf = decodeProtectedHeader

describe('a token', () => {
  it('can be verified with the published keys', async () => {
    const token = await sign()
    expect(headerOf(token)).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: expect.stringMatching(/^[\w-]{43}$/) })
    const set = createLocalJWKSet((await keys.published()) as JSONWebKeySet)
    const { payload } = await jwtVerify(token, set, {
      issuer: ISSUER,
      audience: AUDIENCE,
      typ: 'at+jwt',
      currentDate: new Date(now),
    })
    expect(payload).toEqual(claims())
    expect(await verify(token)).toEqual(claims())
  })

  it('is valid from its time of issue to its end, with a tolerance for clock differences', async () => {
    const token = await sign()
    const later = now
    for (const [ms, valid] of [
      [-4_000, true],
      [-7_000, false],
      [0, true],
      [3_600_000 + 4_000, true],
      [3_600_000 + 6_000, false],
    ] as const) {
      now = later + ms
      expect([ms, (await verify(token)) !== null]).toEqual([ms, valid])
    }
  })

  it.each([
    { iss: 'https://outro.exemplo.br' },
    { iss: `${ISSUER}/` },
    { aud: 'https://outro.exemplo.br/mcp' },
    { aud: ISSUER },
    { aud: `${AUDIENCE}/` },
    { exp: 0 },
    { iat: 4_000_000_000 },
    { nbf: 4_000_000_000 } as Partial<AccessClaims>,
    { exp: Number.MAX_SAFE_INTEGER, iat: 0 },
    { jti: undefined } as unknown as Partial<AccessClaims>,
    { client_id: undefined } as unknown as Partial<AccessClaims>,
  ])('signed by this server with %j is not an access token for it', async (change) => {
    expect(await verify(await sign(change))).toBeNull()
  })

  it('signed by this server but of another type is not an access token', async () => {
    await keys.published()
    const row = await db.selectFrom('chaves_oauth').selectAll().executeTakeFirstOrThrow()
    const key = createPrivateKey(box.open(row.privada_cifrada, secretPurposes.chaveOauth(row.id)))
    const { kid } = row
    const made = (header: object) =>
      new SignJWT({ ...claims() }).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(key)
    expect(await verify(await made({ typ: 'at+jwt' }))).not.toBeNull()
    expect(await verify(await made({ typ: 'application/at+jwt' }))).not.toBeNull()
    for (const header of [
      {},
      { typ: 'JWT' },
      { typ: 'at+jwt', alg: 'RS512' },
      { typ: 'at+jwt', alg: 'PS256' },
      { typ: 'at+jwt', kid: 'outra' },
    ])
      expect([header, await verify(await made(header))]).toEqual([header, null])
  })
})

describe('a forged token', () => {
  const forged = (header: object, signature: (input: string) => string) => {
    const input = `${encode(header)}.${encode(claims())}`
    return `${input}.${signature(input)}`
  }
  const hmac = (secret: string | Buffer) => (input: string) =>
    createHmac('sha256', secret).update(input).digest('base64url')

  it('without a signature', async () => {
    const { kid } = headerOf(await sign())
    for (const alg of ['none', 'None', 'NONE', 'nOnE', '', null, undefined])
      for (const signature of ['', 'AAAA'])
        expect(await verify(forged({ alg, typ: 'at+jwt', kid }, () => signature))).toBeNull()
  })

  it('signed with the public key as an HMAC secret', async () => {
    const { kid } = headerOf(await sign())
    const [jwk] = (await keys.published()).keys
    const spki = await exportSPKI((await importJWK({ ...jwk }, 'RS256')) as Parameters<typeof exportSPKI>[0])
    for (const secret of [spki, spki.trim(), `${spki}\n`, JSON.stringify(jwk), Buffer.from(jwk?.n ?? '', 'base64url')])
      for (const alg of ['HS256', 'RS256'])
        expect(await verify(forged({ alg, typ: 'at+jwt', kid }, hmac(secret)))).toBeNull()
  })

  it('signed with a key of the sender, wherever the header locates it', async () => {
    const ours = headerOf(await sign()).kid
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const jwk = publicKey.export({ format: 'jwk' })
    for (const header of [
      { kid: ours },
      { kid: ours, jwk },
      { jwk },
      { kid: 'outra', jku: 'https://127.0.0.1:1/jwks.json' },
      { kid: ours, jku: 'https://127.0.0.1:1/jwks.json', x5u: 'https://127.0.0.1:1/x', x5c: ['AAAA'] },
      { kid: '../../../dev/null' },
      { kid: "x' or '1'='1" },
      { kid: "' union select '{}' --" },
      { kid: '' },
      { kid: null },
      { kid: 7 },
      { kid: ['a', ours] },
      { kid: { $ne: '' } },
      { kid: '__proto__' },
      {},
    ]) {
      const protectedHeader = { alg: 'RS256', typ: 'at+jwt', ...header } as JWTHeaderParameters
      const token = await new SignJWT({ ...claims() }).setProtectedHeader(protectedHeader).sign(privateKey)
      expect([header, await verify(token)]).toEqual([header, null])
    }
  })

  it('that requires an extension', async () => {
    const good = await sign()
    const { kid } = headerOf(good)
    const signature = good.split('.')[2] ?? ''
    for (const header of [{ crit: ['exp'] }, { crit: ['b64'], b64: false }, { crit: [] }, { crit: 'x' }])
      expect(await verify(forged({ alg: 'RS256', typ: 'at+jwt', kid, ...header }, () => signature))).toBeNull()
  })

  it('is rejected without an internal error if it has another payload or is arbitrary text', async () => {
    const [header = '', , signature = ''] = (await sign()).split('.')
    expect(await verify(`${header}.${encode(claims({ sub: '2' }))}.${signature}`)).toBeNull()
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ maxLength: 200 }),
          fc
            .tuple(fc.json(), fc.json(), fc.string())
            .map((parts) => parts.map((part) => Buffer.from(part).toString('base64url')).join('.')),
          fc.string().map((text) => `${header}.${text}.${signature}`),
        ),
        async (text) => {
          expect(await verify(text)).toBeNull()
        },
      ),
      { numRuns: 300 },
    )
  })
})
