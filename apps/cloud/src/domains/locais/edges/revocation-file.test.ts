import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestInstallation } from '@vigia/link/testing/installation'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { revokeCertificates } from '../../../db/certificados.ts'
import { onlyReplica } from '../../../replicas/replica.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { seedCamera } from '../../../test/records/records.ts'
import { insertCertificate } from './certificates-store.ts'
import { createRevocationFile } from './revocation-file.ts'
import { readRevocationList } from './revocation-store.ts'

const DAY = 86_400_000

it('rewrites the list only after a revocation or before it expires, also after a restart', async () => {
  const installation = await createTestInstallation()
  const { dir } = installation
  const db = await openTestDatabase(join(dir, 'cloud/vigia.db'))
  const { edgeId } = await seedCamera(db)
  const start = Date.now()
  let now = start
  const create = () =>
    createRevocationFile({
      db,
      clock: { now: () => now },
      dataDir: dir,
      replica: onlyReplica,
      log: pino({ level: 'silent' }),
    })
  let file = create()
  const texts: string[] = []
  const readList = async () => {
    await file.changed()
    texts.push(await readFile(join(dir, 'pki/crl.pem'), 'utf8'))
  }

  await readList()
  await insertCertificate(db, edgeId, { sha256: 'a', serial: '0a', vence_em: start + 99 * DAY }, start)
  await readList()
  await revokeCertificates(db, edgeId, start)
  await readList()
  // Another process, e.g. a new leader.
  file = create()
  now = start + 6 * DAY
  await readList()
  now = start + 7 * DAY
  await readList()
  const stored = await readRevocationList(db)
  await db.destroy()
  await installation.remove()
  expect(stored.pem).toBe(texts.at(-1))
  expect(texts.map((text) => texts.indexOf(text))).toEqual([0, 0, 2, 2, 4])
})
