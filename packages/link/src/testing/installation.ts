import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Certificados } from '@vigia/contracts/edge-state'
import { createCloudLink } from '../cloud-link.ts'
import { edgeName } from '../identity.ts'
import type { LinkLog } from '../log.ts'
import { loadAuthority } from '../pki/authority.ts'
import { createCsr } from '../pki/csr.ts'
import { issueEdgeCertificate } from '../pki/edge-certificate.ts'
import { certificateSha256 } from '../pki/fingerprint.ts'
import { ensureInstallationPki } from '../pki/installation.ts'
import type { TlsIdentity } from '../session.ts'

/** Test fixture: a temporary data directory with real certificates of an installation. */
export interface TestInstallation {
  /** VIGIA_DATA_DIR */
  readonly dir: string
  readonly broker: TlsIdentity
  readonly cloud: TlsIdentity
  /** The certificate of an edge; unchanged until `replace`. */
  edge(edgeId: number): Promise<TlsIdentity>
  /** Issues a new certificate for the edge and puts it in force. */
  replace(edgeId: number): Promise<TlsIdentity>
  /** The list of certificates in force, for these edges only. */
  allowed(edgeIds: readonly number[]): Promise<Certificados>
  /** Connects to the broker as the cloud, publishes the list and disconnects. */
  admit(url: string, edgeIds: readonly number[]): Promise<void>
  remove(): Promise<void>
}

export async function createTestInstallation(): Promise<TestInstallation> {
  const dir = await mkdtemp(join(tmpdir(), 'vigia-link-'))
  await ensureInstallationPki({ dir, brokerHosts: [] })
  const read = (part: string, name: string) => readFile(join(dir, part, 'tls', name), 'utf8')
  const identity = async (part: string): Promise<TlsIdentity> => ({
    ca: await read(part, 'ca.pem'),
    cert: await read(part, 'cert.pem'),
    key: await read(part, 'key.pem'),
  })
  const cloud = await identity('cloud')
  const inForce = new Map<number, Promise<TlsIdentity>>()
  const issue = async (edgeId: number): Promise<TlsIdentity> => {
    const ca = await loadAuthority(dir)
    const { csrPem, privateKeyPem } = await createCsr()
    return { ca: ca.certificatePem, cert: await issueEdgeCertificate({ ca, edgeId, csrPem }), key: privateKeyPem }
  }
  const replace = (edgeId: number) => {
    const issued = issue(edgeId)
    inForce.set(edgeId, issued)
    return issued
  }
  const edge = (edgeId: number) => inForce.get(edgeId) ?? replace(edgeId)
  const allowed = async (edgeIds: readonly number[]): Promise<Certificados> => {
    const entry = async (id: number): Promise<[string, string[]]> => [
      edgeName(id),
      [certificateSha256((await edge(id)).cert)],
    ]
    return { v: 2, certificados: Object.fromEntries(await Promise.all(edgeIds.map(entry))) }
  }
  return {
    dir,
    broker: await identity('broker'),
    cloud,
    edge,
    replace,
    allowed,
    admit: async (url, edgeIds) => {
      const backoff = { minMs: 20, maxMs: 100 }
      const link = createCloudLink({ url, tls: cloud, log: createMemoryLog(), backoff })
      link.start()
      try {
        await until('the cloud', () => link.connected)
        await link.publishAllowed(await allowed(edgeIds))
      } finally {
        await link.stop()
      }
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}

/** Resolves when `condition` holds. Rejects after `limitMs` with `what` in the message. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  limitMs = 90_000,
): Promise<void> {
  const deadline = performance.now() + limitMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not in ${limitMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** A log that keeps its lines as text. */
export function createMemoryLog(): LinkLog & { readonly lines: string[] } {
  const lines: string[] = []
  const write = (level: string) => (fields: object, message: string) => {
    lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  }
  return { lines, debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}
