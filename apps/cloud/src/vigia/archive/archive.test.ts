import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandError } from '../command.ts'
import { COST, type ScryptCost } from './crypt.ts'
import { type ArchiveRecord, CHUNK_BYTES, recordTypes } from './format.ts'
import { openArchive } from './read-archive.ts'
import { createArchive, partialName } from './write-archive.ts'

const PASSPHRASE = 'uma frase comprida: ação'
/** A key at the cost of the product takes 0.4 s of a processor. One test reads an archive with that cost. */
const CHEAP: ScryptCost = { N: 2, r: 8, p: 1 }
const SECRET = Buffer.from('segredo que não pode aparecer')

let dir: string
let file: string
let bytes: Buffer
/** Bodies of records: empty, short, and longer than several chunks. */
const bodies = [Buffer.alloc(0), SECRET, randomBytes(3 * CHUNK_BYTES + 17), Buffer.alloc(5, 1), SECRET]

beforeAll(async () => {
  dir = temporaryFolder('vigia-arquivo-')
  file = join(dir, 'a.copia')
  await write(file)
  bytes = readFileSync(file)
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

async function write(target: string, cost: ScryptCost = CHEAP): Promise<void> {
  const archive = await createArchive(target, PASSPHRASE, 1, cost)
  for (const body of bodies) await archive.write(recordTypes.piece, body)
  await archive.finish()
  await archive.close()
}

async function read(path: string, passphrase = PASSPHRASE): Promise<ArchiveRecord[]> {
  const reader = await openArchive(path, passphrase)
  try {
    let total = 0
    const records: ArchiveRecord[] = []
    for await (const record of reader.records((count) => (total += count))) records.push(record)
    expect(total).toBeLessThanOrEqual(reader.size)
    return records
  } finally {
    await reader.close()
  }
}

/** Reads a copy of the archive with other bytes. */
async function readChanged(changed: Buffer): Promise<ArchiveRecord[]> {
  const path = join(dir, 'b.copia')
  writeFileSync(path, changed)
  return read(path)
}

describe('an archive', () => {
  it('returns its records, and only its owner can read the file', async () => {
    const records = await read(file)
    expect(
      records.map(({ body }) => body.equals(bodies[records.findIndex((one) => one.body === body)] ?? body)),
    ).not.toContain(false)
    expect(records.map(({ body }) => body.length)).toEqual(bodies.map(({ length }) => length))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(bytes.includes(SECRET)).toBe(false)
    expect(existsSync(partialName(file))).toBe(false)
  })

  it('opens with another Unicode form of its passphrase, and with no other one', async () => {
    expect(await read(file, PASSPHRASE.normalize('NFD'))).toHaveLength(bodies.length)
    await expect(read(file, `${PASSPHRASE} `)).rejects.toThrow(/A senha não abre/)
  })

  it('has another key in each file', async () => {
    const other = join(dir, 'c.copia')
    await write(other)
    const start = bytes.length - 200
    expect(readFileSync(other).subarray(start).equals(bytes.subarray(start))).toBe(false)
    // Chunks of one archive do not open in another.
    const mixed = Buffer.concat([readFileSync(other).subarray(0, bytes.length - 5_000), bytes.subarray(-5_000)])
    await expect(readChanged(mixed)).rejects.toThrow(CommandError)
  })

  it('is refused at once if its end is missing, wherever it was cut', async () => {
    for (const length of [0, 4, 11, 60, 200, 1_000, CHUNK_BYTES, bytes.length - 17, bytes.length - 1]) {
      const path = join(dir, 'd.copia')
      writeFileSync(path, bytes.subarray(0, length))
      await expect(openArchive(path, PASSPHRASE)).rejects.toThrow(CommandError)
    }
    await expect(readChanged(Buffer.concat([bytes, Buffer.alloc(1)]))).rejects.toThrow(/depois do fim/)
  })

  it('is refused if any byte was changed', async () => {
    const header = bytes.indexOf('}') + 40
    const positions = [
      0,
      9,
      20,
      header,
      header + 3,
      header + 100,
      CHUNK_BYTES + 500,
      bytes.length - 20,
      bytes.length - 1,
    ]
    for (const at of positions) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      await expect(readChanged(changed), `byte ${at}`).rejects.toThrow(CommandError)
    }
  })

  it('is refused if a chunk is missing or at another place', async () => {
    const header = 8 + 4 + bytes.readUInt32BE(8) + 32
    const length = 4 + CHUNK_BYTES + 16
    const chunk = (n: number) => bytes.subarray(header + n * length, header + (n + 1) * length)
    const [start, rest] = [bytes.subarray(0, header), bytes.subarray(header + 2 * length)]
    await expect(readChanged(Buffer.concat([start, chunk(0), rest]))).rejects.toThrow(/danificado \(byte/)
    await expect(readChanged(Buffer.concat([start, chunk(1), chunk(0), rest]))).rejects.toThrow(/danificado \(byte/)
    expect(await readChanged(Buffer.concat([start, chunk(0), chunk(1), rest]))).toHaveLength(bodies.length)
  })

  it('has another name until it is complete, and the next one begins anew', async () => {
    const path = join(dir, 'e.copia')
    const first = await createArchive(path, PASSPHRASE, 1)
    await first.write(recordTypes.piece, randomBytes(2 * CHUNK_BYTES))
    await first.close()
    expect([existsSync(path), existsSync(partialName(path))]).toEqual([false, true])
    await write(path, COST)
    expect(await read(path)).toHaveLength(bodies.length)
  })

  it('is no other file', async () => {
    await expect(readChanged(Buffer.from('PK\u0003\u0004 outro arquivo qualquer'))).rejects.toThrow(/não é uma cópia/)
    await expect(openArchive(join(dir, 'nenhum'), PASSPHRASE)).rejects.toThrow(/Não há arquivo/)
  })
})
