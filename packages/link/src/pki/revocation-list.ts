import type { Extension } from '@peculiar/x509'
import { type CertificateAuthority, validFor } from './certificate.ts'
import { loadX509, SIGNING, toPem, type X509 } from './x509.ts'

export interface RevokedCertificate {
  /** Serial number of the certificate, hex. */
  readonly serial: string
  readonly revokedAt: Date
}

/**
 * A revocation list of the installation's CA (X.509 CRL, RFC 5280 section 5), PEM, for external brokers. It gets one
 * entry for each replaced edge certificate. The caller may leave out expired certificates.
 * @param validDays days until the list expires; then brokers refuse every client until they have a newer list
 */
export async function createRevocationList(options: {
  readonly ca: CertificateAuthority
  readonly revoked: readonly RevokedCertificate[]
  readonly now: number
  readonly validDays: number
}): Promise<string> {
  const x509 = await loadX509()
  const { ca, now, revoked } = options
  const issuer = new x509.X509Certificate(ca.certificatePem)
  const { notBefore, notAfter } = validFor(options.validDays, now)
  // The generator refuses duplicate serial numbers.
  const entries = new Map(revoked.map(({ serial, revokedAt }) => [serial.toLowerCase(), revokedAt]))
  // The reason applies to replaced and removed edges. Without one the generator writes an empty extension list, which
  // strict readers refuse.
  const reason = x509.X509CrlReason.privilegeWithdrawn
  const list = await x509.X509CrlGenerator.create({
    issuer: issuer.subjectName,
    thisUpdate: notBefore,
    nextUpdate: notAfter,
    signingAlgorithm: SIGNING,
    signingKey: ca.key,
    entries: [...entries].map(([serialNumber, revocationDate]) => ({ serialNumber, revocationDate, reason })),
    extensions: [await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey), numberOf(x509, now)],
  })
  // Other programs do not accept the library's own label `CRL` (RFC 7468 section 6).
  return toPem('X509 CRL', list.rawData)
}

/** The CRL number (RFC 5280 section 5.2.3) must increase from list to list. The time in ms needs no stored state. */
function numberOf(x509: X509, now: number): Extension {
  const value = Buffer.alloc(8)
  value.writeBigUInt64BE(BigInt(now))
  // DER allows only the shortest form of an INTEGER.
  const bytes = value.subarray(value.findIndex((byte) => byte !== 0))
  const content = bytes.readUInt8(0) > 0x7f ? Buffer.concat([Buffer.of(0), bytes]) : bytes
  return new x509.Extension('2.5.29.20', false, Buffer.concat([Buffer.of(0x02, content.length), content]))
}
