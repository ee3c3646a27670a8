import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LinkLog } from '../log.ts'
import { loadAuthority } from '../pki/authority.ts'
import { createCsr } from '../pki/csr.ts'
import { issueEdgeCertificate } from '../pki/edge-certificate.ts'
import { ensureInstallationPki } from '../pki/installation.ts'
import type { TlsIdentity } from '../session.ts'

/** For tests: a data directory with the real certificates of an installation, in the system's temporary folder. */
export interface TestInstallation {
  /** VIGIA_DATA_DIR */
  readonly dir: string
  readonly broker: TlsIdentity
  readonly cloud: TlsIdentity
  edge(edgeId: number): Promise<TlsIdentity>
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
  return {
    dir,
    broker: await identity('broker'),
    cloud: await identity('cloud'),
    edge: async (edgeId) => {
      const ca = await loadAuthority(dir)
      const { csrPem, privateKeyPem } = await createCsr()
      return { ca: ca.certificatePem, cert: await issueEdgeCertificate({ ca, edgeId, csrPem }), key: privateKeyPem }
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}

/** Waits until `condition` holds. Rejects after `limitMs` with `what`. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  limitMs = 10_000,
): Promise<void> {
  const deadline = performance.now() + limitMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not in ${limitMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** A log that remembers its lines as text. */
export function createMemoryLog(): LinkLog & { readonly lines: string[] } {
  const lines: string[] = []
  const write = (level: string) => (fields: object, message: string) => {
    lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  }
  return { lines, debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}
