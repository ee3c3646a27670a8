import type { Extension } from '@peculiar/x509'
import { type CertificateAuthority, validFor } from './certificate.ts'
import { loadX509, SIGNING, toPem, type X509 } from './x509.ts'

export interface RevokedCertificate {
  /** As in the certificate, hex. */
  readonly serial: string
  readonly revokedAt: Date
}

/**
 * A revocation list (X.509 CRL, RFC 5280 section 5) of the installation's CA, PEM, for brokers that do not hear the list of certificates in
 * force. It grows for ever, by one entry for each box that was replaced; one that has expired by itself may be left out.
 * @param validDays after which brokers refuse every client until there is a newer one
 */
export async function createRevocationList(options: {
  readonly ca: CertificateAuthority
  readonly revoked: readonly RevokedCertificate[]
  readonly nowMs: number
  readonly validDays: number
}): Promise<string> {
  const x509 = await loadX509()
  const { ca, nowMs, revoked } = options
  const issuer = new x509.X509Certificate(ca.certificatePem)
  const { notBefore, notAfter } = validFor(options.validDays, nowMs)
  // The generator refuses a serial that stands there twice.
  const entries = new Map(revoked.map(({ serial, revokedAt }) => [serial.toLowerCase(), revokedAt]))
  // Of a replaced box and of a removed one: what the name allows is no longer theirs. Without a reason the generator writes an
  // empty list of extensions, which strict readers refuse.
  const reason = x509.X509CrlReason.privilegeWithdrawn
  const list = await x509.X509CrlGenerator.create({
    issuer: issuer.subjectName,
    thisUpdate: notBefore,
    nextUpdate: notAfter,
    signingAlgorithm: SIGNING,
    signingKey: ca.key,
    entries: [...entries].map(([serialNumber, revocationDate]) => ({ serialNumber, revocationDate, reason })),
    extensions: [await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey), numberOf(x509, nowMs)],
  })
  // The library's own label, `CRL`, is read by nobody else (RFC 7468 section 6).
  return toPem('X509 CRL', list.rawData)
}

/** The CRL number (RFC 5280 section 5.2.3) has to grow from list to list: the time does, and nobody has to remember it. */
function numberOf(x509: X509, nowMs: number): Extension {
  const value = Buffer.alloc(8)
  value.writeBigUInt64BE(BigInt(nowMs))
  // DER INTEGER of eight bytes; a time in ms never needs all of them, but the shortest form is the only one allowed.
  const bytes = value.subarray(value.findIndex((byte) => byte !== 0))
  const content = bytes.readUInt8(0) > 0x7f ? Buffer.concat([Buffer.of(0), bytes]) : bytes
  return new x509.Extension('2.5.29.20', false, Buffer.concat([Buffer.of(0x02, content.length), content]))
}
