import { execFile, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadAuthority } from './authority.ts'
import type { CertificateAuthority } from './certificate.ts'
import { createCsr } from './csr.ts'
import { issueEdgeCertificate } from './edge-certificate.ts'
import { ensureInstallationPki } from './installation.ts'
import { createRevocationList } from './revocation-list.ts'
import { loadX509 } from './x509.ts'

const NOW = Date.now()
const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const openssl = async (...args: string[]) => (await promisify(execFile)('openssl', args)).stdout

let dir: string
let ca: CertificateAuthority
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vigia-crl-'))
  await ensureInstallationPki({ dir, brokerHosts: [] })
  ca = await loadAuthority(dir)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

async function edge(edgeId: number): Promise<{ path: string; serial: string }> {
  const { csrPem } = await createCsr()
  const pem = await issueEdgeCertificate({ ca, edgeId, csrPem, now: NOW })
  const path = join(dir, `edge-${edgeId}.pem`)
  await writeFile(path, pem)
  return { path, serial: new X509Certificate(pem).serialNumber }
}
async function list(serials: readonly string[], now = NOW): Promise<string> {
  const revoked = serials.map((serial) => ({ serial, revokedAt: new Date(now) }))
  const path = join(dir, 'crl.pem')
  await writeFile(path, await createRevocationList({ ca, revoked, now, validDays: 30 }))
  return path
}
const verify = (certificate: string, crl: string) => {
  const authority = join(dir, 'pki/ca.pem')
  return openssl('verify', '-x509_strict', '-crl_check', '-CAfile', authority, '-CRLfile', crl, certificate)
}

describe('the revocation list', () => {
  it.runIf(hasOpenssl)('revokes exactly its entries by the strict rules of openssl (needs openssl)', async () => {
    const [gone, twice, stays] = [await edge(7), await edge(8), await edge(9)]
    const crl = await list([gone.serial, twice.serial, twice.serial.toLowerCase()])
    await expect(verify(gone.path, crl)).rejects.toThrow('certificate revoked')
    await expect(verify(twice.path, crl)).rejects.toThrow('certificate revoked')
    expect(await verify(stays.path, crl)).toContain('OK')
    const text = await openssl('crl', '-in', crl, '-noout', '-text', '-CAfile', join(dir, 'pki/ca.pem'))
    expect(text).toMatch(/X509v3 CRL Number: *\n? *\S+/)
    expect(text).toContain('X509v3 Authority Key Identifier')
    expect(text.match(/Serial Number/g)).toHaveLength(2)
    // An entry without extensions must not contain an empty extension list.
    expect(await openssl('asn1parse', '-in', crl)).not.toMatch(/l= +0 cons/)
  })

  it.runIf(hasOpenssl)('revokes nothing when empty, until it is out of date (needs openssl)', async () => {
    const { path } = await edge(7)
    expect(await verify(path, await list([]))).toContain('OK')
    const old = await list([], NOW - 31 * 24 * 60 * 60 * 1000)
    await expect(verify(path, old)).rejects.toThrow('CRL has expired')
  })

  it('has a number that increases with time, in the shortest form', async () => {
    const x509 = await loadX509()
    const number = async (now: number) => {
      const crl = new x509.X509Crl(await readFile(await list([], now), 'utf8'))
      return Buffer.from(crl.getExtension('2.5.29.20')?.value ?? new ArrayBuffer(0)).toString('hex')
    }
    expect(await number(0x01_00_00_00_00_00)).toBe('0206010000000000')
    // The first bit of an INTEGER is its sign, so this number needs a leading zero byte.
    expect(await number(0xff_00_00_00_00)).toBe('020600ff00000000')
    expect((await number(NOW + 1)) > (await number(NOW))).toBe(true)
  })
})
