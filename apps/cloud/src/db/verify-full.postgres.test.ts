import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureAuthority } from '@vigia/link/pki/authority'
import { issueCertificate, validFor } from '@vigia/link/pki/certificate'
import { createKeyPair } from '@vigia/link/pki/x509'
import { freePort } from '@vigia/testing/free-port'
import { type PostgresServer, startPostgres } from '@vigia/testing/postgres-server'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DataError } from './errors.ts'
import { openDatabase } from './open.ts'

/** A server whose certificate is for `localhost`, signed by the CA in `ca.pem`; `other.pem` is another CA. */
let server: PostgresServer
let dir: string

async function authority(name: string) {
  const ca = await ensureAuthority(join(dir, name), Date.now())
  await writeFile(join(dir, `${name}.pem`), ca.certificatePem)
  return ca
}

beforeAll(async () => {
  dir = temporaryFolder('vigia-verify-full-')
  const ca = await authority('ca')
  await authority('other')
  const { keys, privateKeyPem } = await createKeyPair()
  const names = { commonName: 'banco', hosts: ['localhost'], use: 'server' as const }
  const certificate = await issueCertificate({
    ca,
    publicKey: keys.publicKey,
    validity: validFor(2, Date.now()),
    ...names,
  })
  server = await startPostgres({ tls: { certificate, key: privateKeyPem } })
})
afterAll(async () => {
  await server?.close()
  await rm(dir, { recursive: true, force: true })
})

/** The database `postgres` of the server, by another host, port, CA or mode. */
function url({ host = 'localhost', ca = 'ca', mode = 'verify-full', path = '/postgres', password = '' } = {}): string {
  const changed = new URL(server.url)
  changed.hostname = host
  changed.pathname = path
  if (password !== '') changed.password = password
  changed.searchParams.set('sslmode', mode)
  changed.searchParams.set('sslrootcert', join(dir, `${ca}.pem`))
  return changed.href
}
const refusal = (place: string) =>
  openDatabase(place).then(
    () => null,
    (error: unknown) => error,
  )

describe('sslmode=verify-full', () => {
  it('connects to the server that the CA has signed, by TLS', async () => {
    const db = await openDatabase(url())
    const { rows } = await sql<{ ssl: number }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(db)
    await db.destroy()
    expect(rows).toEqual([{ ssl: 1 }])
  })

  it.each([
    ['another CA', { ca: 'other' }, /certificado do PostgreSQL em localhost:\d+ não confere.*sslrootcert/],
    ['another name', { host: '127.0.0.1' }, /certificado do PostgreSQL em 127\.0\.0\.1:\d+ não confere/],
    ['a missing CA file', { ca: 'none' }, /sslrootcert em VIGIA_BANCO não existe/],
    ['a wrong password', { password: 'errada' }, /recusou o usuário ou a senha/],
    ['a missing database', { path: '/nada' }, /não existe.*createdb/],
  ])('refuses %s with the setting to correct', async (_what, change, sentence) => {
    const place = url(change)
    const error = await refusal(place)
    expect(error).toBeInstanceOf(DataError)
    expect((error as Error).message).toMatch(sentence)
    expect((error as Error).message).not.toContain(new URL(place).password)
  })

  it('refuses a server without TLS', async () => {
    const plain = await startPostgres()
    try {
      expect(await refusal(`${plain.url}?sslmode=verify-full`)).toMatchObject({ message: /não oferece TLS/ })
    } finally {
      await plain.close()
    }
  })

  it('names the server that does not answer', async () => {
    const place = `postgres://vigia:segredo@127.0.0.1:${await freePort()}/vigia`
    expect(await refusal(place)).toMatchObject({ message: /não responde \(.*ECONNREFUSED.*VIGIA_BANCO/ })
  })
})
