import { afterAll } from 'vitest'
import { dropTestDatabases } from './test-databases.ts'

/** Setup file of the tests on PostgreSQL: deletes the databases of each test file. */
afterAll(dropTestDatabases)
