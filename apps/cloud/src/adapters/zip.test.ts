import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { expect, it } from 'vitest'
import { type ZipEntry, zipOf } from './zip.ts'

async function archive(entries: readonly ZipEntry[]): Promise<Buffer> {
  const source = (async function* () {
    yield* entries
  })()
  const parts: Uint8Array[] = []
  for await (const part of zipOf(source)) parts.push(part)
  return Buffer.concat(parts)
}

it('makes an archive that another program checks and unpacks', async () => {
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

it('makes an empty archive', async () => {
  expect(await archive([])).toHaveLength(22)
})
