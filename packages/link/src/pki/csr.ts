import { createKeyPair, loadX509, SIGNING } from './x509.ts'

/**
 * Creates a TLS key of this edge and the request (PKCS#10, PEM) that proves its possession. The key never leaves the
 * edge: store it in a file with mode 0600. The cloud ignores the name in the request.
 */
export async function createCsr(): Promise<{ csrPem: string; privateKeyPem: string }> {
  const x509 = await loadX509()
  const { keys, privateKeyPem } = await createKeyPair()
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: 'CN=edge',
    keys,
    signingAlgorithm: SIGNING,
  })
  return { csrPem: `${request.toString('pem')}\n`, privateKeyPem }
}
