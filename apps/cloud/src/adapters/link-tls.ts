import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../config.ts'

/**
 * Certificate and key of the cloud on the link, created by prepare.ts.
 * @throws ConfigError when a file is missing or not readable
 */
export function readLinkTls(cloudDir: string): { ca: string; cert: string; key: string } {
  const dir = join(cloudDir, 'tls')
  const read = (name: string) => readFileSync(join(dir, name), 'utf8')
  try {
    return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') }
  } catch {
    throw new ConfigError(
      `Não consegui ler os certificados em ${dir}. Rode antes "node apps/cloud/src/prepare.ts" com a mesma ` +
        'VIGIA_DATA_DIR.',
    )
  }
}
