import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { revokeCertificates } from '../../../db/certificados.ts'
import type { Database } from '../../../db/open.ts'
import { openTestDatabase } from '../../../test/clouds/template.ts'
import { seedActivatedEdge, seedCamera } from '../../../test/records/records.ts'
import { addRenewed, insertCertificate, listInForce, listRevoked } from './certificates-store.ts'

const DAY = 86_400_000
const NOW = 1_790_000_000_000
let dir: string
let db: Database
let edge: number
let other: number

beforeEach(async () => {
  dir = temporaryFolder('vigia-certificados-')
  db = await openTestDatabase(join(dir, 'vigia.db'))
  const { empresaId, edgeId } = await seedCamera(db)
  edge = edgeId
  other = await seedActivatedEdge(db, empresaId)
  await db.deleteFrom('certificados_edge').execute()
})
afterEach(async () => {
  await db.destroy()
  await rm(dir, { recursive: true, force: true })
})
const certificate = (name: string, vence_em = NOW + DAY) => ({ sha256: name, serial: name, vence_em })

it('lists the two newest certificates of each edge that are neither expired nor revoked', async () => {
  for (const name of ['a1', 'a2', 'a3']) await insertCertificate(db, edge, certificate(name), NOW)
  await insertCertificate(db, other, certificate('b1'), NOW)
  await insertCertificate(db, other, certificate('b2', NOW), NOW)
  const list = [...(await listInForce(db, NOW))].sort(([a], [b]) => a - b)
  expect(list).toEqual([
    [edge, ['a3', 'a2']],
    [other, ['b1']],
  ])
  expect(await revokeCertificates(db, edge, NOW)).toBe(3)
  expect([...(await listInForce(db, NOW)).keys()]).toEqual([other])
})

it('lists revoked certificates with a serial number that did not expire long ago', async () => {
  await insertCertificate(db, edge, certificate('c1'), NOW)
  await insertCertificate(db, edge, certificate('c2', NOW - 40 * DAY), NOW)
  await insertCertificate(db, edge, { ...certificate('c3'), sha256: 'c3' }, NOW)
  await db.updateTable('certificados_edge').set({ serial: null }).where('sha256', '=', 'c3').execute()
  await insertCertificate(db, other, certificate('d1'), NOW)
  await revokeCertificates(db, edge, NOW + 5)
  expect(await listRevoked(db, NOW - 30 * DAY)).toEqual([{ serial: 'c1', revogado_em: NOW + 5 }])
})

it('renews only for activated edges', async () => {
  await db.updateTable('edges').set({ ativado_em: null }).where('id', '=', other).execute()
  expect(await addRenewed(db, edge, certificate('e1'), NOW)).toBe(true)
  expect(await addRenewed(db, other, certificate('e2'), NOW)).toBe(false)
  expect(await addRenewed(db, 999_999, certificate('e3'), NOW)).toBe(false)
  expect([...(await listInForce(db, NOW)).values()]).toEqual([['e1']])
})

it('renews at most four times a day', async () => {
  const renewed = async (now: number) => {
    const each = Array.from({ length: 6 }, (_, i) => certificate(`${now}-${i}`, NOW + 9 * DAY))
    const outcomes: boolean[] = []
    for (const one of each) outcomes.push(await addRenewed(db, edge, one, now))
    return outcomes.filter((is) => is).length
  }
  expect([await renewed(NOW), await renewed(NOW + DAY - 1), await renewed(NOW + DAY)]).toEqual([4, 0, 4])
  expect(await addRenewed(db, other, certificate('z'), NOW)).toBe(true)
})
