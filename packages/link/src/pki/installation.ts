import { isIP } from 'node:net'
import { join } from 'node:path'
import { VigiaError } from '@vigia/contracts/errors'
import { CLOUD_NAME } from '../identity.ts'
import { ensureAuthority, loadAuthority } from './authority.ts'
import { type CertificateAuthority, isCurrent, issueCertificate, type LeafUse, validFor } from './certificate.ts'
import { createFileOnce, ensurePrivateDir, readIfExists, replaceFile } from './files.ts'
import { createKeyPair, importKeyPair } from './x509.ts'

const LEAF_DAYS = 825
const RENEW_DAYS = 60

export interface InstallationPkiOptions {
  /** VIGIA_DATA_DIR */
  readonly dir: string
  /** Names and addresses of the broker, in addition to `localhost` and `127.0.0.1`. */
  readonly brokerHosts: readonly string[]
  readonly now?: number
}

/**
 * Creates the files for mutual TLS and renews certificates that are due: `pki/{ca.pem,ca.key}`,
 * `broker/tls/{ca,cert,key}.pem`, `cloud/tls/{ca,cert,key}.pem`. Safe at every start and for several processes at once.
 * Keys are kept. Renewal replaces only the certificate, atomically, so that a reader never sees a mismatched pair.
 * @throws VigiaError `validacao` for an impossible host name, `interno` for damaged files
 */
export async function ensureInstallationPki({
  dir,
  brokerHosts,
  now = Date.now(),
}: InstallationPkiOptions): Promise<void> {
  const hosts = [...new Set(['localhost', '127.0.0.1', ...brokerHosts.map(canonicalHost)])]
  await ensurePrivateDir(dir)
  const ca = await ensureAuthority(dir, now)
  await ensureLeaf({ ca, dir: join(dir, 'broker'), commonName: 'broker', use: 'server', hosts, now })
  await ensureLeaf({ ca, dir: join(dir, 'cloud'), commonName: CLOUD_NAME, use: 'client', hosts: [], now })
}

/** Creates or renews the certificate of the cloud only, for a replica whose broker runs elsewhere. */
export async function ensureCloudIdentity({ dir, now }: { readonly dir: string; readonly now: number }): Promise<void> {
  const ca = await loadAuthority(dir)
  await ensureLeaf({ ca, dir: join(dir, 'cloud'), commonName: CLOUD_NAME, use: 'client', hosts: [], now })
}

interface Leaf {
  readonly ca: CertificateAuthority
  readonly dir: string
  readonly commonName: string
  readonly use: LeafUse
  readonly hosts: readonly string[]
  readonly now: number
}

async function ensureLeaf({ ca, dir, commonName, use, hosts, now }: Leaf): Promise<void> {
  const tls = join(dir, 'tls')
  await ensurePrivateDir(dir)
  await ensurePrivateDir(tls)
  const keyPath = join(tls, 'key.pem')
  const privateKeyPem =
    (await readIfExists(keyPath)) ?? (await createFileOnce(keyPath, (await createKeyPair()).privateKeyPem))
  const publicKey = readPublicKey(keyPath, privateKeyPem)

  const certificatePath = join(tls, 'cert.pem')
  const present = await readIfExists(certificatePath)
  const expected = { privateKeyPem, caPem: ca.certificatePem, hosts, renewDays: RENEW_DAYS, now }
  if (present === null || !isCurrent(present, expected)) {
    const validity = validFor(LEAF_DAYS, now)
    await replaceFile(certificatePath, await issueCertificate({ ca, commonName, publicKey, use, hosts, validity }))
  }

  const caPath = join(tls, 'ca.pem')
  if ((await readIfExists(caPath)) !== ca.certificatePem) await replaceFile(caPath, ca.certificatePem)
}

function readPublicKey(path: string, privateKeyPem: string) {
  try {
    return importKeyPair(privateKeyPem).publicKey
  } catch (cause) {
    throw new VigiaError('interno', {
      detalhe: `A chave ${path} está danificada. Apague esse arquivo e inicie de novo: outra será feita.`,
      cause,
    })
  }
}

/** @throws VigiaError `validacao` for an impossible host name */
function canonicalHost(host: string): string {
  const lower = host.trim().toLowerCase()
  if (isIP(lower) !== 0 || /^(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/.test(lower)) return lower
  throw new VigiaError('validacao', { detalhe: `"${host}" não é um nome nem um endereço IP de servidor.` })
}
