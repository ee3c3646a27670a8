import { webcrypto, X509Certificate } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadAuthority } from './authority.ts'
import type { CertificateAuthority } from './certificate.ts'
import { createCsr } from './csr.ts'
import { issueEdgeCertificate } from './edge-certificate.ts'
import { ensureInstallationPki } from './installation.ts'
import { loadX509, toPem } from './x509.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let dir: string
let ca: CertificateAuthority
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vigia-pki-'))
  await ensureInstallationPki({ dir, brokerHosts: [] })
  ca = await loadAuthority(dir)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

/** A request with another kind of key that asks for extra rights. */
async function request(algorithm: webcrypto.EcKeyGenParams | webcrypto.RsaHashedKeyGenParams, name = 'CN=cloud') {
  const x509 = await loadX509()
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const extensions = [new x509.BasicConstraintsExtension(true, 5, true)]
  const signingAlgorithm = { ...algorithm, hash: 'SHA-256' }
  const csr = await x509.Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm, extensions })
  return csr
}
const P256 = { name: 'ECDSA', namedCurve: 'P-256' }

describe('the certificate of an edge', () => {
  it('names the edge, allows client use only and lasts 825 days', async () => {
    const { csrPem, privateKeyPem } = await createCsr()
    const now = Date.now()
    const certificate = new X509Certificate(await issueEdgeCertificate({ ca, edgeId: 42, csrPem, now }))
    expect(certificate.subject).toBe('CN=edge-42')
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
    expect(certificate.ca).toBe(false)
    expect(certificate.subjectAltName).toBeUndefined()
    expect(Math.round((certificate.validToDate.getTime() - now) / DAY_MS)).toBe(825)
    expect(Math.round((now - certificate.validFromDate.getTime()) / DAY_MS)).toBe(1)
    expect(certificate.verify(new X509Certificate(ca.certificatePem).publicKey)).toBe(true)
    expect(privateKeyPem).toMatch(/^-----BEGIN PRIVATE KEY-----\n/)
  })

  it('uses only the key of the request', async () => {
    const csr = await request(P256, 'CN=cloud, O=Outra')
    const certificate = new X509Certificate(await issueEdgeCertificate({ ca, edgeId: 7, csrPem: csr.toString('pem') }))
    expect(certificate.subject).toBe('CN=edge-7')
    expect(certificate.ca).toBe(false)
    const requested = toPem('PUBLIC KEY', csr.publicKey.rawData)
    expect(certificate.publicKey.export({ type: 'spki', format: 'pem' })).toBe(requested)
  })

  it('has a new serial number each time', async () => {
    const { csrPem } = await createCsr()
    const serials = new Set<string>()
    for (let round = 0; round < 5; round += 1) {
      serials.add(new X509Certificate(await issueEdgeCertificate({ ca, edgeId: 7, csrPem })).serialNumber)
    }
    expect(serials.size).toBe(5)
  })

  it.each([
    ['P-384', { name: 'ECDSA', namedCurve: 'P-384' }],
    [
      'RSA',
      { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
    ],
  ])('is not issued for a key that is %s', async (_what, algorithm) => {
    const csrPem = (await request(algorithm)).toString('pem')
    await expect(issueEdgeCertificate({ ca, edgeId: 7, csrPem })).rejects.toMatchObject({ code: 'validacao' })
  })

  it('is refused when the request is not signed by its key', async () => {
    const der = Buffer.from((await request(P256)).rawData)
    // The last byte belongs to the signature.
    der.writeUInt8(der.readUInt8(der.length - 1) ^ 1, der.length - 1)
    const csrPem = toPem('CERTIFICATE REQUEST', new Uint8Array(der).buffer)
    await expect(issueEdgeCertificate({ ca, edgeId: 7, csrPem })).rejects.toMatchObject({
      code: 'validacao',
      itens: [{ loc: ['body', 'csr'] }],
    })
  })

  it.each(['', 'lixo', '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----'])(
    'is refused for %j',
    async (csrPem) => {
      await expect(issueEdgeCertificate({ ca, edgeId: 7, csrPem })).rejects.toMatchObject({ code: 'validacao' })
    },
  )

  it('is refused for the certificate of the CA itself', async () => {
    const issuing = issueEdgeCertificate({ ca, edgeId: 7, csrPem: ca.certificatePem })
    await expect(issuing).rejects.toMatchObject({ code: 'validacao' })
  })
})
