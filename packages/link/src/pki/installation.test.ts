import { execFile, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { VigiaError } from '@vigia/contracts/errors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadAuthority } from './authority.ts'
import { createCsr } from './csr.ts'
import { issueEdgeCertificate } from './edge-certificate.ts'
import { ensureInstallationPki } from './installation.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const DAY_MS = 24 * 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 21)
const files = [
  'pki/ca.key',
  'pki/ca.pem',
  'broker/tls/ca.pem',
  'broker/tls/cert.pem',
  'broker/tls/key.pem',
  'cloud/tls/ca.pem',
  'cloud/tls/cert.pem',
  'cloud/tls/key.pem',
]

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vigia-pki-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const ensure = (now = NOW, brokerHosts: readonly string[] = []) => ensureInstallationPki({ dir, brokerHosts, now })
const read = (name: string) => readFile(join(dir, name), 'utf8')
const readAll = async () => Object.fromEntries(await Promise.all(files.map(async (name) => [name, await read(name)])))
const certificate = async (name: string) => new X509Certificate(await read(name))
const days = (from: Date, toMs: number) => Math.round((toMs - from.getTime()) / DAY_MS)

describe('the PKI of an installation', () => {
  it('creates the CA and the certificates of broker and cloud, readable for their owner only', async () => {
    await chmod(dir, 0o755)
    await ensure(NOW, ['vigia.exemplo.com.br', '192.0.2.10', '2001:db8::5', 'LOCALHOST'])

    const ca = await certificate('pki/ca.pem')
    expect(ca.ca).toBe(true)
    expect(ca.subject).toMatch(/^CN=Vigia CA [0-9a-f]{12}$/)
    expect(days(ca.validFromDate, NOW)).toBe(1)
    expect(days(new Date(NOW), ca.validToDate.getTime())).toBe(3650)

    const broker = await certificate('broker/tls/cert.pem')
    expect(broker.verify(ca.publicKey)).toBe(true)
    expect(broker.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
    for (const host of ['localhost', 'vigia.exemplo.com.br']) expect(broker.checkHost(host)).toBe(host)
    for (const ip of ['127.0.0.1', '192.0.2.10', '2001:db8::5']) expect(broker.checkIP(ip)).toBe(ip)
    expect(broker.checkHost('outro.exemplo.com.br')).toBeUndefined()

    const cloud = await certificate('cloud/tls/cert.pem')
    expect(cloud.verify(ca.publicKey)).toBe(true)
    expect(cloud.subject).toBe('CN=cloud')
    expect(cloud.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])

    for (const name of files) expect((await stat(join(dir, name))).mode & 0o777, name).toBe(0o600)
    for (const name of ['', 'pki', 'broker', 'broker/tls', 'cloud', 'cloud/tls']) {
      expect((await stat(join(dir, name))).mode & 0o777, name).toBe(0o700)
    }
  })

  it.runIf(hasOpenssl)('is strictly valid, each certificate for its own purpose (needs openssl)', async () => {
    await ensure(Date.now())
    const verify = (purpose: string, name: string) => {
      const ca = join(dir, 'pki/ca.pem')
      return promisify(execFile)('openssl', [
        'verify',
        '-x509_strict',
        '-CAfile',
        ca,
        '-purpose',
        purpose,
        join(dir, name),
      ])
    }
    await verify('sslserver', 'broker/tls/cert.pem')
    await verify('sslclient', 'cloud/tls/cert.pem')
    await expect(verify('sslclient', 'broker/tls/cert.pem')).rejects.toThrow('purpose')
    await expect(verify('sslserver', 'cloud/tls/cert.pem')).rejects.toThrow('purpose')
  })

  it('changes nothing when nothing is due and leaves no temporary file', async () => {
    await ensure()
    const before = await readAll()
    await ensure(NOW + 700 * DAY_MS)
    expect(await readAll()).toEqual(before)
    const names = await readdir(dir, { recursive: true })
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('renews certificates, not keys, within 60 days of their end', async () => {
    await ensure()
    const before = await readAll()
    await ensure(NOW + (825 - 59) * DAY_MS)
    const after = await readAll()
    const changed = files.filter((name) => before[name] !== after[name])
    expect(changed).toEqual(['broker/tls/cert.pem', 'cloud/tls/cert.pem'])
    expect((await certificate('broker/tls/cert.pem')).validToDate.getTime()).toBeGreaterThan(NOW + 1500 * DAY_MS)
  })

  it('renews the broker certificate only when its hosts change', async () => {
    await ensure(NOW, ['a.example', '192.0.2.1'])
    const first = await read('broker/tls/cert.pem')
    await ensure(NOW, ['192.0.2.1', 'a.example', 'A.example'])
    expect(await read('broker/tls/cert.pem')).toBe(first)
    await ensure(NOW, ['a.example'])
    const second = await certificate('broker/tls/cert.pem')
    expect(second.checkIP('192.0.2.1')).toBeUndefined()
    expect(second.checkHost('a.example')).toBe('a.example')
  })

  it('renews the CA with the same key and name, so that both CA certificates verify all certificates', async () => {
    await ensure()
    const old = await certificate('pki/ca.pem')
    const later = NOW + (3650 - 700) * DAY_MS
    await ensure(later)
    const renewed = await certificate('pki/ca.pem')
    expect(renewed.fingerprint256).not.toBe(old.fingerprint256)
    expect(renewed.subject).toBe(old.subject)
    const broker = await certificate('broker/tls/cert.pem')
    for (const ca of [old, renewed]) expect(broker.checkIssued(ca) && broker.verify(ca.publicKey)).toBe(true)
    expect(await read('broker/tls/ca.pem')).toBe(await read('pki/ca.pem'))
  })

  it('is complete when many processes create it at once', async () => {
    await Promise.all(Array.from({ length: 8 }, () => ensure()))
    const ca = await certificate('pki/ca.pem')
    const authority = await loadAuthority(dir)
    const { csrPem } = await createCsr()
    const edge = new X509Certificate(await issueEdgeCertificate({ ca: authority, edgeId: 1, csrPem }))
    for (const issued of [edge, await certificate('broker/tls/cert.pem'), await certificate('cloud/tls/cert.pem')]) {
      expect(issued.verify(ca.publicKey)).toBe(true)
    }
    const before = await readAll()
    await ensure()
    expect(await readAll()).toEqual(before)
  })

  it.each(['pki/ca.pem', 'broker/tls/cert.pem', 'broker/tls/ca.pem', 'cloud/tls/key.pem'])(
    'is completed after a crash: %s missing',
    async (name) => {
      await ensure()
      await rm(join(dir, name))
      await ensure()
      const ca = await certificate('pki/ca.pem')
      for (const part of ['broker', 'cloud']) {
        expect((await certificate(`${part}/tls/cert.pem`)).verify(ca.publicKey)).toBe(true)
        expect(await read(`${part}/tls/ca.pem`)).toBe(await read('pki/ca.pem'))
      }
    },
  )

  it('never replaces a damaged or foreign CA', async () => {
    await ensure()
    const key = await read('pki/ca.key')
    for (const damage of ['', 'lixo', await read('cloud/tls/key.pem')]) {
      await writeFile(join(dir, 'pki/ca.key'), damage)
      await expect(ensure()).rejects.toThrow(VigiaError)
    }
    await rm(join(dir, 'pki/ca.key'))
    await expect(ensure()).rejects.toThrow('incompleta ou danificada')
    await writeFile(join(dir, 'pki/ca.key'), key)
    await ensure()
  })

  it('refuses impossible host names', async () => {
    for (const host of ['', 'a b', 'mqtts://x', '-x', 'a..b', 'x\ny', '*.example']) {
      await expect(ensure(NOW, [host])).rejects.toThrow(VigiaError)
    }
  })
})
