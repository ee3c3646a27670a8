import { startPostgres } from './postgres-server.ts'
import { TEST_SERVER } from './test-databases.ts'

/**
 * Global setup of the tests on PostgreSQL: starts a server for the run, or uses that of DATABASE_URL. Its user must be
 * allowed to create databases. All projects of a run share the server.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const given = process.env.DATABASE_URL ?? process.env[TEST_SERVER]
  if (given) {
    process.env[TEST_SERVER] = given
    return async () => {}
  }
  const server = await startPostgres()
  process.env[TEST_SERVER] = server.url
  return server.close
}
