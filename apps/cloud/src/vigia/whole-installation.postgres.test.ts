import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { emptyDatabaseUrl } from '@vigia/testing/test-databases'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Crawl, crawlApi, differencesOf } from '../test/clients/crawl.ts'
import { runVigia, wasComplete } from '../test/clients/run-vigia.ts'
import { startStillCloud } from '../test/clouds/still-cloud.ts'
import { type FilledInstallation, fillInstallation } from '../test/records/filled-installation.ts'
import { openTestBucket, type TestBucket } from '../test/stand-ins/s3-bucket.ts'

type Env = Readonly<Record<string, string>>

let dir: string
/** On PostgreSQL, with files. */
let filled: FilledInstallation
let bucket: TestBucket
/** A restored copy on SQLite. */
let sqlite: Env
/** That copy, moved to PostgreSQL and S3. */
let moved: Env
/** A backup of the copy on SQLite, restored on PostgreSQL. */
let back: Env

beforeAll(async () => {
  dir = temporaryFolder('vigia-inteira-')
  filled = await fillInstallation(join(dir, 'a'))
  bucket = await openTestBucket()
  sqlite = { VIGIA_DATA_DIR: join(dir, 'b') }
  moved = { ...sqlite, VIGIA_BANCO: await emptyDatabaseUrl(join(dir, 'c')), ...bucket.env('c') }
  back = { VIGIA_DATA_DIR: join(dir, 'd'), VIGIA_BANCO: await emptyDatabaseUrl(join(dir, 'd')) }
})
afterAll(async () => {
  await bucket?.close()
  await rm(dir, { recursive: true, force: true })
})

/** Kills the command at random times, and runs it again until it ends by itself. */
async function runWithKills(args: readonly string[], env: Env, kills: number): Promise<void> {
  const times: number[] = []
  for (;;) {
    const killMs = times.length < kills ? randomInt(500, 1_300) : undefined
    const { code, output } = await runVigia(args, env, killMs)
    if (killMs !== undefined) times.push(killMs)
    // SIGKILL
    if (code === null && killMs !== undefined) continue
    if (code === 0 || (times.length > 0 && wasComplete(output))) return
    throw new Error(`vigia ${args[0]} after kills at ${times.join()} ms: ${code} ${output}`)
  }
}

/** Answers of the whole API from these data. */
async function crawl(env: Env): Promise<Crawl> {
  await ensureInstallationPki({ dir: env.VIGIA_DATA_DIR ?? '', brokerHosts: [] })
  const cloud = await startStillCloud(env, filled.now)
  try {
    return await crawlApi(cloud, { tokens: filled.tokens, now: filled.now, idsAtMost: 2 })
  } finally {
    await cloud.stop()
  }
}

it('copies an installation to and from each database, with kills, so that its API answers alike', {
  timeout: 120_000,
}, async () => {
  const files = ['a', 'b'].map((name) => join(dir, `${name}.copia`))
  await runWithKills(['backup', files[0] ?? ''], filled.env, 1)
  await runWithKills(['restaurar', files[0] ?? ''], sqlite, 2)
  expect(existsSync(join(dir, 'b/cloud/restaurando'))).toBe(false)
  await runWithKills(['backup', files[1] ?? ''], sqlite, 1)
  await runWithKills(['migrar'], moved, 2)
  await runWithKills(['restaurar', files[1] ?? ''], back, 2)

  const before = await crawl(filled.env)
  expect(before.size).toBeGreaterThan(200)
  for (const copy of [sqlite, moved, back]) expect(differencesOf(before, await crawl(copy))).toEqual([])
})

it('refuses to fill what is not empty', async () => {
  for (const [args, env, sentence] of [
    [['migrar'], moved, 'não está vazio'],
    [['restaurar', join(dir, 'a.copia')], back, 'não está vazio'],
    [['restaurar', join(dir, 'a.copia')], sqlite, 'não está vazio'],
    [['backup', join(dir, 'a.copia')], filled.env, 'já existe'],
  ] as const) {
    const { code, output } = await runVigia(args, env)
    expect([code, output]).toEqual([1, expect.stringContaining(sentence)])
  }
})
