import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFaults, LIMITS_DOCUMENT, readLimits, readTestSources, writeDocument } from './limits-document.ts'

/** `npm run limits`: writes docs/limits.md from the `limit-rows.ts` files, and fails for an incomplete row. */
const rows = await readLimits()
const faults = findFaults(rows, readTestSources())
for (const fault of faults) console.error(fault)
writeFileSync(join(fileURLToPath(new URL('../../../../', import.meta.url)), LIMITS_DOCUMENT), writeDocument(rows))
process.exitCode = faults.length > 0 ? 1 : 0
