import { X509Certificate } from 'node:crypto'

/** SHA-256 of a certificate's DER, 64 hex digits in lower case. Throws on anything but a certificate in PEM. */
export const certificateSha256 = (pem: string): string => plainFingerprint(new X509Certificate(pem).fingerprint256)

/** The same out of Node's way of writing it, `AB:CD:…`. */
export const plainFingerprint = (fingerprint256: string): string => fingerprint256.replaceAll(':', '').toLowerCase()
