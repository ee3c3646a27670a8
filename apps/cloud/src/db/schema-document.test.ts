import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { expect, it } from 'vitest'
import { schemaDocument } from '../test/walks/schema-document.ts'
import { openDatabase } from './open.ts'

const document = fileURLToPath(new URL('../../../../docs/reference/schema.md', import.meta.url))

it('is what docs/reference/schema.md says', async () => {
  const dir = temporaryFolder('vigia-esquema-')
  const db = await openDatabase(join(dir, 'vigia.db'))
  await expect(await schemaDocument(db)).toMatchFileSnapshot(document)
  await db.destroy()
  rmSync(dir, { recursive: true })
})
