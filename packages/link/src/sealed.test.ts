import { VigiaError } from '@vigia/contracts/errors'
import { CompactEncrypt, importJWK } from 'jose'
import { describe, expect, it } from 'vitest'
import { createSealKeyPair, seal, sealedLength, unseal } from './sealed.ts'

const sources = { rtsp_url: 'rtsp://admin:segredo-ã@10.0.0.9/1', sub_rtsp_url: null }

describe('a sealed value', () => {
  it('opens with the private key', async () => {
    const { publicJwk, privateJwk } = await createSealKeyPair()
    const jwe = await seal(publicJwk, sources)
    expect(jwe).not.toContain('segredo')
    expect(Object.keys(publicJwk).sort()).toEqual(['crv', 'kty', 'x', 'y'])
    expect(await unseal(privateJwk, jwe)).toEqual(sources)
  })

  it('differs at each sealing', async () => {
    const { publicJwk } = await createSealKeyPair()
    expect(await seal(publicJwk, sources)).not.toBe(await seal(publicJwk, sources))
  })

  it('has the length of `sealedLength` for any key', async () => {
    for (const size of [0, 1, 2, 3, 400, 12_000]) {
      const value = { senha: 'ã'.repeat(size) }
      const { publicJwk } = await createSealKeyPair()
      expect((await seal(publicJwk, value)).length).toBe(sealedLength(Buffer.byteLength(JSON.stringify(value))))
    }
  })

  it('does not open with another key, and the error does not quote the content', async () => {
    const jwe = await seal((await createSealKeyPair()).publicJwk, sources)
    const other = await createSealKeyPair()
    await expect(unseal(other.privateJwk, jwe)).rejects.toThrow(VigiaError)
  })

  it('does not open after a change of one character in any part', async () => {
    const { publicJwk, privateJwk } = await createSealKeyPair()
    const jwe = await seal(publicJwk, sources)
    const parts = jwe.split('.')
    for (const [index, part] of parts.entries()) {
      const swapped = (part.startsWith('A') ? 'B' : 'A') + part.slice(1)
      const altered = parts.map((original, at) => (at === index ? swapped : original)).join('.')
      await expect(unseal(privateJwk, altered), `part ${index}`).rejects.toThrow(VigiaError)
    }
    for (const junk of ['', 'a.b.c.d.e', '{}', jwe.slice(0, -4)]) {
      await expect(unseal(privateJwk, junk)).rejects.toThrow(VigiaError)
    }
  })

  it('does not open with another algorithm, even for the right key', async () => {
    const { publicJwk, privateJwk } = await createSealKeyPair()
    const key = await importJWK(publicJwk, 'ECDH-ES')
    const jwe = await new CompactEncrypt(Buffer.from('{}'))
      .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A128CBC-HS256' })
      .encrypt(key)
    await expect(unseal(privateJwk, jwe)).rejects.toThrow(VigiaError)
  })

  it('does not quote a content that is not JSON', async () => {
    const { publicJwk, privateJwk } = await createSealKeyPair()
    const key = await importJWK(publicJwk, 'ECDH-ES+A256KW')
    const jwe = await new CompactEncrypt(Buffer.from('segredo'))
      .setProtectedHeader({ alg: 'ECDH-ES+A256KW', enc: 'A256GCM' })
      .encrypt(key)
    const error: unknown = await unseal(privateJwk, jwe).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(VigiaError)
    expect(JSON.stringify([String(error), error instanceof Error ? error.cause : null])).not.toContain('segredo')
  })

  it('is not made for a public key that is not on the curve', async () => {
    const { publicJwk } = await createSealKeyPair()
    await expect(seal({ ...publicJwk, y: publicJwk.x }, sources)).rejects.toThrow(VigiaError)
  })
})
