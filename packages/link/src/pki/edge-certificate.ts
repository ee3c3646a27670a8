import type { webcrypto } from 'node:crypto'
import { invalid } from '@vigia/contracts/errors'
import { edgeName } from '../identity.ts'
import { type CertificateAuthority, issueCertificate, validFor } from './certificate.ts'
import { loadX509, SIGNING } from './x509.ts'

/** An edge that is offline during its whole renewal period must be activated again. */
const EDGE_DAYS = 825
/** Renewal begins when this share of the certificate's lifetime remains. */
export const RENEW_SHARE = 1 / 3

/**
 * Signs the certificate of edge `edgeId` for the key in the request. It uses only the key of the request; the name is
 * always `edge-{edgeId}`.
 * @throws VigiaError `validacao` on `["body","csr"]`: unreadable, not EC P-256, or not signed by its own key
 */
export async function issueEdgeCertificate(options: {
  readonly ca: CertificateAuthority
  readonly edgeId: number
  readonly csrPem: string
  readonly now?: number
}): Promise<string> {
  return issueCertificate({
    ca: options.ca,
    commonName: edgeName(options.edgeId),
    publicKey: await readRequest(options.csrPem),
    use: 'client',
    hosts: [],
    validity: validFor(EDGE_DAYS, options.now ?? Date.now()),
  })
}

async function readRequest(csrPem: string): Promise<webcrypto.CryptoKey> {
  const x509 = await loadX509()
  let publicKey: webcrypto.CryptoKey
  let isSigned: boolean
  try {
    const request = new x509.Pkcs10CertificateRequest(csrPem)
    // The algorithm is fixed here, so that a key of another kind fails to import.
    publicKey = await request.publicKey.export(SIGNING, ['verify'])
    isSigned = await request.verify()
  } catch {
    throw invalid(['body', 'csr'], 'O pedido de certificado não pôde ser lido: use PKCS#10 em PEM com chave EC P-256.')
  }
  if (!isSigned) throw invalid(['body', 'csr'], 'O pedido de certificado não foi assinado com a própria chave.')
  return publicKey
}
