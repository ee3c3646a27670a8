import { X509Certificate } from 'node:crypto'

/** SHA-256 of a certificate's DER, 64 lower-case hex digits. Throws for any text but a certificate in PEM. */
export const certificateSha256 = (pem: string): string => plainFingerprint(new X509Certificate(pem).fingerprint256)

/** Converts Node's form of a fingerprint, `AB:CD:…`, to lower-case hex digits. */
export const plainFingerprint = (fingerprint256: string): string => fingerprint256.replaceAll(':', '').toLowerCase()
