import { X509Certificate } from 'node:crypto'
import { plainFingerprint } from '@vigia/link/pki/fingerprint'
import type { IssuedCertificate } from './certificates-store.ts'

/**
 * Signs a certificate request as `edge-{id}`, whatever name it asks for; PEM, and the CA's. Rejects with `validacao` when
 * the request is not a valid one.
 */
export type SignRequest = (edgeId: number, csrPem: string) => Promise<{ certificado: string; ca: string }>

/** What is kept of a certificate (PEM) that was issued. */
export function describeCertificate(pem: string): IssuedCertificate {
  const { fingerprint256, serialNumber, validToDate } = new X509Certificate(pem)
  return {
    sha256: plainFingerprint(fingerprint256),
    serial: serialNumber.toLowerCase(),
    vence_em: validToDate.getTime(),
  }
}
