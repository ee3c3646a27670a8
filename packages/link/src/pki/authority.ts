import { X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { VigiaError } from '@vigia/contracts/errors'
import { belongsTo, type CertificateAuthority, isCurrent, selfSignAuthority, validFor } from './certificate.ts'
import { createFileOnce, ensurePrivateDir, readIfExists, replaceFile } from './files.ts'
import { createKeyPair, importKeyPair, randomSerial } from './x509.ts'

const CA_DAYS = 3650
/**
 * The CA's certificate is renewed two years before its end, with the same key and name. Edges with the old certificate
 * and edges with the new one both trust signatures of that key.
 */
const CA_RENEW_DAYS = 730

const paths = (dataDir: string) => ({
  dir: join(dataDir, 'pki'),
  certificate: join(dataDir, 'pki', 'ca.pem'),
  key: join(dataDir, 'pki', 'ca.key'),
})

/**
 * Path of an empty file that marks the CA of an installation without data. The cloud removes it when it creates its
 * first database. A CA without this file and without a database means that the database was lost.
 */
export const newInstallationMark = (dataDir: string): string => join(paths(dataDir).dir, 'sem-dados')

/**
 * The installation's CA, created when missing. Several processes may call this at once: the first key wins. The
 * certificate is derived from the key, so that no crash leaves a mismatched pair.
 * @throws VigiaError `interno` for damaged files, because a new CA would lock out every activated edge
 */
export async function ensureAuthority(dataDir: string, now: number): Promise<CertificateAuthority> {
  const path = paths(dataDir)
  await ensurePrivateDir(path.dir)
  let privateKeyPem = await readIfExists(path.key)
  const certificatePem = await readIfExists(path.certificate)
  if (privateKeyPem === null) {
    if (certificatePem !== null) throw damaged(path.dir, new Error('ca.pem without ca.key'))
    await createFileOnce(newInstallationMark(dataDir), '')
    privateKeyPem = await createFileOnce(path.key, (await createKeyPair()).privateKeyPem)
  }
  const keys = readKeys(path.dir, privateKeyPem)

  const current = certificatePem ?? (await createAuthorityCertificate(path.certificate, keys, now))
  const expected = { privateKeyPem, caPem: current, hosts: [], renewDays: CA_RENEW_DAYS, now }
  if (!belongsTo(current, expected)) throw damaged(path.dir, new Error('ca.pem is not of ca.key'))
  if (isCurrent(current, expected)) return { certificatePem: current, key: keys.privateKey }

  const name = new X509Certificate(current).subject.replace(/^CN=/, '')
  const renewed = await selfSignAuthority(name, keys, validFor(CA_DAYS, now))
  await replaceFile(path.certificate, renewed)
  return { certificatePem: renewed, key: keys.privateKey }
}

/** Writes the CA of an installation into a data folder, in place of the CA of no installation. */
export async function replaceAuthority(
  dataDir: string,
  { certificatePem, privateKeyPem }: { readonly certificatePem: string; readonly privateKeyPem: string },
): Promise<void> {
  const path = paths(dataDir)
  await ensurePrivateDir(dataDir)
  await ensurePrivateDir(path.dir)
  await replaceFile(path.key, privateKeyPem)
  await replaceFile(path.certificate, certificatePem)
}

/** Loads the CA of `ensureAuthority`, to sign the certificate of an edge. */
export async function loadAuthority(dataDir: string): Promise<CertificateAuthority> {
  const path = paths(dataDir)
  const [privateKeyPem, certificatePem] = await Promise.all([readIfExists(path.key), readIfExists(path.certificate)])
  if (privateKeyPem === null || certificatePem === null) throw damaged(path.dir, new Error('CA files missing'))
  return { certificatePem, key: readKeys(path.dir, privateKeyPem).privateKey }
}

/** The random part makes the name unique, because verifiers confuse two trusted CAs with one name. */
async function createAuthorityCertificate(
  path: string,
  keys: ReturnType<typeof importKeyPair>,
  now: number,
): Promise<string> {
  const name = `Vigia CA ${randomSerial().slice(0, 12)}`
  return createFileOnce(path, await selfSignAuthority(name, keys, validFor(CA_DAYS, now)))
}

function readKeys(dir: string, privateKeyPem: string): ReturnType<typeof importKeyPair> {
  try {
    return importKeyPair(privateKeyPem)
  } catch (cause) {
    throw damaged(dir, cause)
  }
}

const damaged = (dir: string, cause: unknown): VigiaError =>
  new VigiaError('interno', {
    detalhe:
      `A autoridade certificadora em ${dir} está incompleta ou danificada. Restaure ca.key e ca.pem de uma cópia de ` +
      'segurança; sem elas, todas as caixas precisam ser ativadas de novo.',
    cause,
  })
