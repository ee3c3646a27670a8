import { X509Certificate } from 'node:crypto'
import { plainFingerprint } from '@vigia/link/pki/fingerprint'
import type { IssuedCertificate } from './certificates-store.ts'

/**
 * Signs a certificate request as `edge-{id}`, ignoring the requested name. Returns the certificate and that of the CA,
 * PEM. Rejects with `validacao` if the request is invalid.
 */
export type SignRequest = (edgeId: number, csrPem: string) => Promise<{ certificado: string; ca: string }>

/** Returns the stored properties of an issued certificate (PEM). */
export function describeCertificate(pem: string): IssuedCertificate {
  const { fingerprint256, serialNumber, validToDate } = new X509Certificate(pem)
  return {
    sha256: plainFingerprint(fingerprint256),
    serial: serialNumber.toLowerCase(),
    vence_em: validToDate.getTime(),
  }
}
