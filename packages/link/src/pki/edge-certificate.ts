import type { webcrypto } from 'node:crypto'
import { invalid } from '@vigia/contracts/errors'
import { edgeName } from '../identity.ts'
import { type CertificateAuthority, issueCertificate, validFor } from './certificate.ts'
import { loadX509, SIGNING } from './x509.ts'

/** A box that is offline for the whole time in which it would renew has to be activated again. */
const EDGE_DAYS = 825
/** A certificate is renewed when less than this share of its life is left. */
export const RENEW_SHARE = 1 / 3

/**
 * Signs the certificate of edge `edgeId` for the key in the request. Nothing else of the request is used: the name is
 * `edge-{edgeId}` whatever it asks for.
 * @throws VigiaError `validacao` on `["body","csr"]`: unreadable, not EC P-256, or not signed by its own key
 */
export async function issueEdgeCertificate(options: {
  readonly ca: CertificateAuthority
  readonly edgeId: number
  readonly csrPem: string
  readonly nowMs?: number
}): Promise<string> {
  return issueCertificate({
    ca: options.ca,
    commonName: edgeName(options.edgeId),
    publicKey: await readRequest(options.csrPem),
    use: 'client',
    hosts: [],
    validity: validFor(EDGE_DAYS, options.nowMs ?? Date.now()),
  })
}

async function readRequest(csrPem: string): Promise<webcrypto.CryptoKey> {
  const x509 = await loadX509()
  let publicKey: webcrypto.CryptoKey
  let isSigned: boolean
  try {
    const request = new x509.Pkcs10CertificateRequest(csrPem)
    // The algorithm is named by us, not by the request: a key of another kind fails to import.
    publicKey = await request.publicKey.export(SIGNING, ['verify'])
    isSigned = await request.verify()
  } catch {
    throw invalid(['body', 'csr'], 'O pedido de certificado não pôde ser lido: use PKCS#10 em PEM com chave EC P-256.')
  }
  if (!isSigned) throw invalid(['body', 'csr'], 'O pedido de certificado não foi assinado com a própria chave.')
  return publicKey
}
