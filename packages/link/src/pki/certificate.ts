import { createPrivateKey, type webcrypto, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { loadX509, randomSerial, SIGNING } from './x509.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export interface Validity {
  readonly notBefore: Date
  readonly notAfter: Date
}

/** Validity of `days`, back-dated by one day: the clock of a site may be behind at the first connection. */
export const validFor = (days: number, now: number): Validity => ({
  notBefore: new Date(now - DAY_MS),
  notAfter: new Date(now + days * DAY_MS),
})

export interface CertificateAuthority {
  readonly certificatePem: string
  readonly key: webcrypto.CryptoKey
}

export type LeafUse = 'server' | 'client'

export interface LeafOptions {
  readonly ca: CertificateAuthority
  readonly commonName: string
  readonly publicKey: webcrypto.CryptoKey
  readonly use: LeafUse
  /** Names and IP addresses (a server's subjectAltName); empty for clients. */
  readonly hosts: readonly string[]
  readonly validity: Validity
}

/** A certificate signed by the installation's CA, PEM. */
export async function issueCertificate(options: LeafOptions): Promise<string> {
  const x509 = await loadX509()
  const { ca, hosts, publicKey, use, validity } = options
  const issuer = new x509.X509Certificate(ca.certificatePem)
  const names = hosts.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value }))
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: randomSerial(),
    issuer: issuer.subjectName,
    subject: `CN=${options.commonName}`,
    ...validity,
    signingAlgorithm: SIGNING,
    publicKey,
    signingKey: ca.key,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([
        use === 'server' ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth,
      ]),
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
    ],
  })
  return `${certificate.toString('pem')}\n`
}

/** The CA's own certificate, PEM. It may sign end certificates only (path length 0). */
export async function selfSignAuthority(
  commonName: string,
  keys: webcrypto.CryptoKeyPair,
  validity: Validity,
): Promise<string> {
  const x509 = await loadX509()
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomSerial(),
    name: `CN=${commonName}`,
    ...validity,
    signingAlgorithm: SIGNING,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return `${certificate.toString('pem')}\n`
}

export interface Expected {
  readonly privateKeyPem: string
  readonly caPem: string
  readonly hosts: readonly string[]
  /** Days before its end at which a certificate is due for renewal. */
  readonly renewDays: number
  readonly now: number
}

/** Whether a certificate matches this key and this CA; false for an unreadable one. */
export function belongsTo(pem: string, { privateKeyPem, caPem }: Pick<Expected, 'privateKeyPem' | 'caPem'>): boolean {
  try {
    const certificate = new X509Certificate(pem)
    const ca = new X509Certificate(caPem)
    return (
      certificate.checkIssued(ca) &&
      certificate.verify(ca.publicKey) &&
      certificate.checkPrivateKey(createPrivateKey(privateKeyPem))
    )
  } catch {
    return false
  }
}

/** Whether a certificate is still usable: matching key and CA, exactly these hosts, not due for renewal. */
export function isCurrent(pem: string, expected: Expected): boolean {
  if (!belongsTo(pem, expected)) return false
  const certificate = new X509Certificate(pem)
  return (
    certificate.validFromDate.getTime() <= expected.now &&
    certificate.validToDate.getTime() - expected.now > expected.renewDays * DAY_MS &&
    sameHosts(certificate, expected.hosts)
  )
}

/** Whether the certificate names exactly these hosts. */
function sameHosts(certificate: X509Certificate, hosts: readonly string[]): boolean {
  const present = (certificate.subjectAltName ?? '').split(', ').filter((part) => part !== '').length
  const named = (host: string) =>
    isIP(host) === 0
      ? certificate.checkHost(host, { subject: 'never', wildcards: false }) !== undefined
      : certificate.checkIP(host) !== undefined
  return present === hosts.length && hosts.every(named)
}
