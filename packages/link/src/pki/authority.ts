import { X509Certificate } from 'node:crypto'
import { join } from 'node:path'
import { VigiaError } from '@vigia/contracts/errors'
import { belongsTo, type CertificateAuthority, isCurrent, selfSignAuthority, validFor } from './certificate.ts'
import { createFileOnce, ensurePrivateDir, readIfExists, replaceFile } from './files.ts'
import { createKeyPair, importKeyPair, randomSerial } from './x509.ts'

const CA_DAYS = 3650
/**
 * The CA's certificate is signed anew, with the same key and name, two years before its end: boxes that hold the old one and
 * boxes that hold the new one both trust what the key signs.
 */
const CA_RENEW_DAYS = 730

const paths = (dataDir: string) => ({
  dir: join(dataDir, 'pki'),
  certificate: join(dataDir, 'pki', 'ca.pem'),
  key: join(dataDir, 'pki', 'ca.key'),
})

/**
 * An empty file beside a CA that was made for an installation without data; the cloud removes it with its first database. A CA
 * without it, and without a database, has lost one.
 */
export const newInstallationMark = (dataDir: string): string => join(paths(dataDir).dir, 'sem-dados')

/**
 * The installation's CA; made when there is none. Several processes may do this at once: the first key wins, and the
 * certificate follows from the key, so that no order of events and no crash leaves two that do not fit.
 * @throws VigiaError `interno` when the files are damaged: a new CA would lock every activated edge out
 */
export async function ensureAuthority(dataDir: string, nowMs: number): Promise<CertificateAuthority> {
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

  const current = certificatePem ?? (await createAuthorityCertificate(path.certificate, keys, nowMs))
  const expected = { privateKeyPem, caPem: current, hosts: [], renewDays: CA_RENEW_DAYS, nowMs }
  if (!belongsTo(current, expected)) throw damaged(path.dir, new Error('ca.pem is not of ca.key'))
  if (isCurrent(current, expected)) return { certificatePem: current, key: keys.privateKey }

  const name = new X509Certificate(current).subject.replace(/^CN=/, '')
  const renewed = await selfSignAuthority(name, keys, validFor(CA_DAYS, nowMs))
  await replaceFile(path.certificate, renewed)
  return { certificatePem: renewed, key: keys.privateKey }
}

/** The CA that `ensureAuthority` made, to sign an edge's certificate with. */
export async function loadAuthority(dataDir: string): Promise<CertificateAuthority> {
  const path = paths(dataDir)
  const [privateKeyPem, certificatePem] = await Promise.all([readIfExists(path.key), readIfExists(path.certificate)])
  if (privateKeyPem === null || certificatePem === null) throw damaged(path.dir, new Error('CA files missing'))
  return { certificatePem, key: readKeys(path.dir, privateKeyPem).privateKey }
}

/** The random part tells installations apart: two CAs of one name confuse whoever trusts both. */
async function createAuthorityCertificate(
  path: string,
  keys: ReturnType<typeof importKeyPair>,
  nowMs: number,
): Promise<string> {
  const name = `Vigia CA ${randomSerial().slice(0, 12)}`
  return createFileOnce(path, await selfSignAuthority(name, keys, validFor(CA_DAYS, nowMs)))
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
    detalhe: `A autoridade certificadora em ${dir} está incompleta ou danificada. Restaure ca.key e ca.pem de uma cópia de segurança; sem elas, todos os edges precisam ser ativados de novo.`,
    cause,
  })
