import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { expect, it } from 'vitest'
import { type ZipBytes, type ZipEntry, zipOf } from './zip.ts'

async function drained(source: AsyncIterable<ZipEntry>): Promise<Uint8Array[]> {
  const parts: Uint8Array[] = []
  for await (const part of zipOf(source)) parts.push(part)
  return parts
}

async function archive(entries: readonly ZipBytes[]): Promise<Buffer> {
  const source = (async function* () {
    yield* entries
  })()
  return Buffer.concat(await drained(source))
}

const hasPython = spawnSync('python3', ['--version']).status === 0

it.runIf(hasPython)('makes an archive that another program checks and unpacks (needs python3)', async () => {
  const dir = temporaryFolder('vigia-zip-')
  const file = join(dir, 'a.zip')
  const entries = [
    { name: 'a.txt', bytes: Buffer.from('olá\n') },
    { name: 'eventos/7/recorte.jpg', bytes: Buffer.alloc(70_000, 7) },
    { name: 'vazio', bytes: Buffer.alloc(0) },
  ]
  writeFileSync(file, await archive(entries))
  // Python reads the directory, and testzip() compares each CRC.
  const program = `import sys, zipfile, hashlib, json
z = zipfile.ZipFile(sys.argv[1])
of = lambda n: [len(z.read(n)), hashlib.sha256(z.read(n)).hexdigest()[:8]]
print(json.dumps([z.testzip(), {n: of(n) for n in z.namelist()}]))`
  const output: unknown = JSON.parse(execFileSync('python3', ['-c', program, file], { encoding: 'utf8' }))
  const expected = Object.fromEntries(
    entries.map(({ name, bytes }) => [
      name,
      [bytes.length, createHash('sha256').update(bytes).digest('hex').slice(0, 8)],
    ]),
  )
  expect(output).toEqual([null, expected])
  await rm(dir, { recursive: true, force: true })
})

it('passes on the chunks of a stream, and refuses one of another length', async () => {
  const chunks = [Buffer.alloc(40_000, 1), Buffer.alloc(30_000, 2)]
  const crc = crc32(Buffer.concat(chunks))
  const file = {
    name: 'clipe.mp4',
    crc,
    chunks: async function* () {
      yield* chunks
    },
  }
  const source = (size: number) =>
    (async function* () {
      yield { ...file, size }
    })()
  const parts = await drained(source(70_000))
  expect(parts.slice(1, 3)).toEqual(chunks)
  const whole = await archive([{ name: 'clipe.mp4', bytes: Buffer.concat(chunks) }])
  expect(Buffer.concat(parts).equals(whole)).toBe(true)
  for (const size of [69_999, 70_001]) await expect(drained(source(size))).rejects.toThrow('changed')
})

it('makes an empty archive', async () => {
  expect(await archive([])).toHaveLength(22)
})
