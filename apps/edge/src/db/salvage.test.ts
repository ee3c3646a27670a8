import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Candidato, registroSchema } from '@vigia/contracts/candidate'
import { mediaFault } from '@vigia/link/batch'
import { seededRandom } from '@vigia/testing/random'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Outbox } from '../outbox/outbox.ts'
import { createOutbox } from '../outbox/store.ts'
import { candidate, jpeg, unlimited } from '../outbox/testing/candidates.ts'
import { head } from '../outbox/testing/head.ts'
import { createBootStore } from '../time/boot-store.ts'
import { openEdgeDb } from './edge-db.ts'

const CAMERAS = [1, 2, 3]
const EACH = 40
const PAGE = 4096

let dir = ''
const file = () => join(dir, 'edge.db')
beforeEach(() => {
  dir = temporaryFolder('vigia-salvage-')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

function open() {
  const opened = openEdgeDb(file())
  if (!opened.ok) throw new Error(opened.reason)
  return { ...opened, outbox: createOutbox(opened.db, { quota: unlimited(), inFlight: () => new Set() }) }
}

/** Fills an outbox and returns its content. */
function fill(outbox: Outbox) {
  const ids = new Set<string>()
  for (let number = 0; number < EACH; number++)
    for (const camera of CAMERAS) {
      const event = {
        candidate: candidate(camera),
        media: [{ papel: 'crop', bytes: jpeg(2_000 + 50 * number) }],
      } as const
      outbox.add([event], { number })
      ids.add(event.candidate.id)
    }
  return { ids, serie: outbox.serie }
}

/** Copies the file as a stopped edge leaves it. */
function filled() {
  const { db, outbox } = open()
  const content = fill(outbox)
  db.close()
  return { ...content, size: statSync(file()).size }
}

/** Removes the records of one camera and checks that the cloud would accept them. */
function drain(outbox: Outbox, camera: number) {
  const numbers: number[] = []
  const candidates: Candidato[] = []
  for (let record = head(outbox, camera); record; record = head(outbox, camera)) {
    const registro = registroSchema.parse(record.registro)
    if (registro.tipo === 'candidato') {
      expect(mediaFault(registro, record.midias)).toBeNull()
      numbers.push(registro.seq)
      candidates.push(registro)
    } else if (registro.tipo === 'lacuna')
      for (let seq = registro.de_seq; seq <= registro.ate_seq; seq++) numbers.push(seq)
    outbox.remove([registro.id])
  }
  return { numbers, candidates }
}

/** Opens a damaged file and checks the invariants that hold for any damage; resolves with the salvaged content. */
function openDamaged(before: { readonly ids: ReadonlySet<string>; readonly serie: string }) {
  const { db, outbox, damaged } = open()
  const saved: Candidato[] = []
  for (const camera of CAMERAS) {
    const highest = Math.max(
      0,
      ...outbox.summary().por_camera.map((one) => (one.camera_id === camera ? one.ultimo_seq : 0)),
    )
    const { numbers, candidates } = drain(outbox, camera)
    expect(new Set(numbers).size, 'a number twice').toBe(numbers.length)
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
    expect(highest).toBeGreaterThanOrEqual(numbers.at(-1) ?? 0)
    const [next = 0] = outbox.add([{ candidate: candidate(camera), media: [] }], null)
    // The same number may occur again only under another name of the outbox.
    if (outbox.serie === before.serie) expect(next).toBe(EACH + 1)
    saved.push(...candidates)
  }
  for (const { id } of saved) expect(before.ids.has(id)).toBe(true)
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(db.pragma('synchronous', { simple: true })).toBe(2)
  for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600)
  db.close()
  return { saved, damaged }
}

function overwrite(at: number, length: number): void {
  const bytes = readFileSync(file())
  bytes.fill(0xa5, at, at + length)
  writeFileSync(file(), bytes)
}

describe('a damaged edge.db', () => {
  it('with some bad pages is renamed and keeps the other records', () => {
    const before = filled()
    const pages = Math.floor(before.size / PAGE)
    for (const page of [0.3, 0.5, 0.7]) overwrite(Math.floor(pages * page) * PAGE, PAGE)
    const { saved, damaged } = openDamaged(before)
    expect(saved.length).toBeGreaterThan(before.ids.size * 0.7)
    expect(damaged).toMatchObject({
      file: expect.stringMatching(/edge\.db\.danificado-\d+$/),
      salvaged: { records: saved.length },
    })
    expect(existsSync(damaged?.file ?? '')).toBe(true)
    const again = open()
    expect(again.damaged).toBeNull()
    again.db.close()
  })

  it('that is truncated keeps the records before the cut', () => {
    const before = filled()
    truncateSync(file(), Math.floor((before.size * 0.6) / PAGE) * PAGE)
    const { saved, damaged } = openDamaged(before)
    expect(damaged).not.toBeNull()
    expect(saved.length).toBeGreaterThan(before.ids.size * 0.2)
  })

  it('keeps the clock of records from before the time was known', () => {
    const { db, outbox } = open()
    const early = candidate(9)
    outbox.add([{ candidate: early, media: [], stamp: { boot: 'a', ahead: 0 } }], null)
    fill(outbox)
    createBootStore(db).save({ id: 'a', earliest: 0, lastMono: 0, assumed: false, ahead: 86_400_000 }, 1)
    db.close()
    truncateSync(file(), Math.floor((statSync(file()).size * 0.6) / PAGE) * PAGE)
    const again = open()
    expect(again.damaged).not.toBeNull()
    expect(head(again.outbox, 9)?.registro).toMatchObject({ ocorrido_em: early.ocorrido_em + 86_400_000 })
    again.db.close()
  })

  it('of only zeros is replaced by an empty file with another name', () => {
    const before = filled()
    writeFileSync(file(), Buffer.alloc(before.size))
    const { saved, damaged } = openDamaged(before)
    expect([saved.length, damaged?.salvaged.complete]).toEqual([0, false])
  })

  it('keeps the records that only its journal contains', () => {
    const { db, outbox } = open()
    const before = fill(outbox)
    // Copies the files as a power cut leaves them.
    const crashed = temporaryFolder('vigia-salvage-')
    for (const suffix of ['', '-wal']) copyFileSync(file() + suffix, join(crashed, `edge.db${suffix}`))
    db.close()
    rmSync(dir, { recursive: true })
    renameSync(crashed, dir)
    expect(statSync(`${file()}-wal`).size).toBeGreaterThan(100_000)
    overwrite(PAGE, statSync(file()).size - PAGE)
    const { saved } = openDamaged(before)
    // An automatic checkpoint has moved the other records into the file.
    expect(saved.length).toBeGreaterThan(before.ids.size * 0.2)
  })

  it('is replaced atomically: a start after an interruption continues', () => {
    const before = filled()
    renameSync(file(), `${file()}.salvo`)
    expect(openDamaged(before).saved.length).toBe(before.ids.size)
  })

  it('keeps the readable records wherever the damage is', () => {
    const before = filled()
    const whole = readFileSync(file())
    const random = seededRandom('salvage')
    let found = 0
    let saved = 0
    for (let round = 0; round < 10; round++) {
      for (const name of readdirSync(dir)) rmSync(join(dir, name))
      const bytes = Buffer.from(whole)
      for (let hit = 0; hit < 3; hit++) {
        const at = Math.floor(random() * bytes.length)
        const end = Math.min(bytes.length, at + 1 + Math.floor(random() * 2 * PAGE))
        for (let i = at; i < end; i++) bytes[i] = Math.floor(random() * 256)
      }
      writeFileSync(file(), bytes, { mode: 0o600 })
      const result = openDamaged(before)
      if (result.damaged) found++
      saved += result.saved.length
    }
    expect(found).toBeGreaterThan(6)
    expect(saved / 10).toBeGreaterThan(before.ids.size * 0.8)
  })
})
