import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { createSealKeyPair } from '@vigia/link/sealed'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createIdentityStore } from './identity.ts'

let dir = ''
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vigia-identidade-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

it('keeps what it was given, for the owner alone', async () => {
  const store = createIdentityStore(join(dir, 'edge'))
  expect(await store.load()).toBeNull()
  const { privateJwk } = await createSealKeyPair()
  const mqtt = { url: 'mqtts://h' }
  const identity = { edge_id: 3, certificado: 'C', ca: 'A', mqtt, chave_tls: 'K', chave_cifra: privateJwk }
  await store.save(identity)
  await store.save(identity)
  expect(await createIdentityStore(join(dir, 'edge')).load()).toEqual(identity)
  const folder = join(dir, 'edge', 'identidade')
  expect(await readdir(folder)).toEqual(['identidade.json'])
  expect((await stat(join(folder, 'identidade.json'))).mode & 0o777).toBe(0o600)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

it('does not take a damaged identity for none: a person must look', async () => {
  const store = createIdentityStore(dir)
  const { privateJwk } = await createSealKeyPair()
  const mqtt = { url: 'mqtts://h' }
  await store.save({ edge_id: 3, certificado: 'C', ca: 'A', mqtt, chave_tls: 'K', chave_cifra: privateJwk })
  const file = join(dir, 'identidade', 'identidade.json')
  for (const damaged of ['', '{"edge_id":', '{"chave_tls":"chave-secreta"', '{"chave_tls":"chave-secreta"}']) {
    await writeFile(file, damaged)
    const error: unknown = await store.load().catch((thrown) => thrown)
    expect(error).toMatchObject({ detalhe: expect.stringContaining(file) })
    expect(inspect(error)).not.toContain('chave-s')
  }
})
