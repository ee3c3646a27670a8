import { createKeyPair, loadX509, SIGNING } from './x509.ts'

/**
 * A new TLS key for this box and the request (PKCS#10, PEM) that proves possession of it. The key never leaves the box: write it to
 * a file with mode 0600. The name in the request means nothing, the cloud gives the name.
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
