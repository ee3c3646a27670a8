import { hasNginx } from '@vigia/testing/nginx'
import type { Result } from '@vigia/testing/trial'
import { runTests } from '../run-tests.ts'

/** Runs `nginx.postgres.test.ts`, which other runs of the tests skip. */
export async function carryOut(): Promise<Result> {
  if (!hasNginx()) throw new Error('nginx is not installed (Debian package nginx-light)')
  return runTests('postgres', 'nginx.postgres', { VIGIA_TEST_NGINX: '1' })
}
