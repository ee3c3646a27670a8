import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../config.ts'

/**
 * The cloud's identity on the link, as prepare.ts made it.
 * @throws ConfigError when it is not there or may not be read.
 */
export function readLinkTls(cloudDir: string): { ca: string; cert: string; key: string } {
  const dir = join(cloudDir, 'tls')
  const read = (name: string) => readFileSync(join(dir, name), 'utf8')
  try {
    return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') }
  } catch {
    throw new ConfigError(
      `Não consegui ler os certificados em ${dir}. Rode antes "node apps/cloud/src/prepare.ts" com a mesma VIGIA_DATA_DIR.`,
    )
  }
}
