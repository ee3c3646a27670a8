import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { createSealKeyPair } from '@vigia/link/sealed'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createIdentityStore, type EdgeIdentity, holdIdentity, sequencesOf } from './identity.ts'

let dir = ''
beforeEach(async () => {
  dir = temporaryFolder('vigia-identidade-')
})
async function anyIdentity(): Promise<EdgeIdentity> {
  const { x, y, d } = (await createSealKeyPair()).privateJwk
  const chave_cifra = { kty: 'EC', crv: 'P-256', x, y, d } as const
  const mqtt = { url: 'mqtts://h' }
  const given = { edge_id: 3, certificado: 'C', ca: 'A', mqtt, sequencias: { 7: 90 } }
  return { ...given, chave_tls: 'K', chave_cifra, codigo_sha256: 'ab' }
}
afterEach(() => rm(dir, { recursive: true, force: true }))

it('stores the identity, readable only by its owner', async () => {
  const store = createIdentityStore(join(dir, 'edge'))
  expect(await store.load()).toBeNull()
  const identity = await anyIdentity()
  await store.save(identity)
  await store.save(identity)
  expect(await createIdentityStore(join(dir, 'edge')).load()).toEqual(identity)
  const folder = join(dir, 'edge', 'identidade')
  expect(await readdir(folder)).toEqual(['identidade.json'])
  expect((await stat(join(folder, 'identidade.json'))).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

it('reports a damaged identity instead of treating it as missing', async () => {
  const store = createIdentityStore(dir)
  await store.save(await anyIdentity())
  const file = join(dir, 'identidade', 'identidade.json')
  for (const damaged of ['', '{"edge_id":', '{"chave_tls":"chave-secreta"', '{"chave_tls":"chave-secreta"}']) {
    await writeFile(file, damaged)
    const error: unknown = await store.load().catch((thrown) => thrown)
    expect(error).toMatchObject({ detalhe: expect.stringContaining(file) })
    expect(inspect(error)).not.toContain('chave-s')
  }
})

it('reads the identity of an earlier version without count and code', async () => {
  const store = createIdentityStore(dir)
  await store.save(await anyIdentity())
  const file = join(dir, 'identidade', 'identidade.json')
  const { sequencias, codigo_sha256, ...earlier } = JSON.parse(await readFile(file, 'utf8'))
  expect([sequencias, codigo_sha256]).toEqual([{ 7: 90 }, 'ab'])
  await writeFile(file, JSON.stringify(earlier))
  const loaded = await store.load()
  expect(loaded).toMatchObject({ edge_id: 3, sequencias: {}, codigo_sha256: null })
  expect(sequencesOf(await anyIdentity())).toEqual(new Map([[7, 90]]))
})

it('uses a new identity only after it is on the disk', async () => {
  const [before, next] = [await anyIdentity(), await anyIdentity()]
  const held = holdIdentity(createIdentityStore(dir), before)
  const full = holdIdentity({ save: () => Promise.reject(new Error('ENOSPC')) }, before)
  await expect(full.replace(next)).rejects.toThrow('ENOSPC')
  expect(full.current()).toBe(before)
  await held.replace(next)
  expect(held.current()).toBe(next)
  expect(await createIdentityStore(dir).load()).toEqual(next)
})
