import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { SeenPassage } from '@vigia/analysis/plates/passage-model'
import { registroSchema } from '@vigia/contracts/candidate'
import { mediaFault } from '@vigia/link/batch'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import { knownTime } from '../time/testing/known-time.ts'
import { createIntake } from './intake.ts'
import type { Outbox } from './outbox.ts'
import { createOutbox } from './store.ts'
import { jpeg, unlimited } from './testing/candidates.ts'
import { head } from './testing/head.ts'

let dir = ''
let db: EdgeDb
let outbox: Outbox
let recursos: string[]

function open() {
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  db = opened.db
  outbox = createOutbox(db, { quota: unlimited(), inFlight: () => new Set() })
}
beforeEach(() => {
  dir = temporaryFolder('vigia-passages-')
  recursos = ['passagem']
  open()
})
afterEach(() => {
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

const begin = (retryMs = 20) =>
  createIntake({
    outbox,
    kinds: () => recursos,
    time: knownTime,
    log: pino({ level: 'silent' }),
    onAdded() {},
    retryMs,
  })

const passage = (revisao: number): SeenPassage => ({
  camera_id: 3,
  passagem: '01900000-0000-7000-8000-000000000001',
  revisao,
  trilha: 't-1',
  inicio: 1_000,
  ocorrido_em: 2_000,
  fim: null,
  veiculo: 'car',
  cor: null,
  confianca: 0.9,
  direcao: 'ab',
  placa: { placa: 'ABC1D23', pais: 'BR', forma: 'mercosul', confianca: 0.95 },
  quadros: 4,
  qualidade: null,
  candidatas: [],
  conf_placa: 0.8,
  modelo: 'pp-ocrv4',
  caixa: { rotulo: 'car', confianca: 0.9, x: 0.1, y: 0.1, w: 0.5, h: 0.5 },
  caixa_placa: { rotulo: 'placa', confianca: 0.95, x: 0.4, y: 0.6, w: 0.2, h: 0.1 },
  media: [
    { papel: 'veiculo', bytes: new Uint8Array(jpeg(900)) },
    { papel: 'placa', bytes: new Uint8Array(jpeg(300)) },
  ],
})

it('keeps a passage with its pictures over a restart, in the sequence of its camera', () => {
  const intake = begin()
  intake.passage(passage(1))
  intake.passage({ ...passage(2), media: [] })
  intake.stop()
  db.close()
  open()
  const record = head(outbox, 3)
  const registro = registroSchema.parse(record?.registro)
  expect(registro).toMatchObject({ tipo: 'passagem', seq: 1, revisao: 1, placa: { placa: 'ABC1D23' } })
  expect(mediaFault(registro, record?.midias ?? [])).toBeNull()
  outbox.remove([registro.id])
  expect(head(outbox, 3)?.registro).toMatchObject({ tipo: 'passagem', seq: 2, revisao: 2, midias: [] })
})

it('sends nothing to a cloud that stores no passages', () => {
  recursos = ['evidencia']
  const intake = begin()
  intake.passage(passage(1))
  intake.stop()
  expect(outbox.size()).toBe(0)
})

it('holds passages in order while the disk is full', async () => {
  const intake = begin()
  intake.passage(passage(1))
  db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true }))}`)
  for (let revisao = 2; revisao <= 20; revisao++) intake.passage(passage(revisao))
  expect(outbox.size()).toBeLessThan(20)
  expect(intake.waitingInMemory).toBe(20 - outbox.size())
  db.pragma('max_page_count = 1000000')
  await waitFor('all of them', () => outbox.size() === 20, { everyMs: 10 })
  intake.stop()
  expect(outbox.read(3, { after: 0, upTo: 99 }, { records: 30, bytes: 1e9, atLeastOne: true })).toMatchObject(
    Array.from({ length: 20 }, (_, at) => ({ registro: { seq: at + 1, revisao: at + 1 } })),
  )
})

it('counts passages that memory cannot hold as lost', () => {
  const intake = createIntake({
    outbox,
    kinds: () => recursos,
    retryMs: 1e6,
    maxWaitingBytes: 30_000,
    onAdded() {},
    time: knownTime,
    log: pino({ level: 'silent' }),
  })
  db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true }))}`)
  for (let revisao = 1; revisao <= 40; revisao++) intake.passage(passage(revisao))
  expect(intake.waitingInMemory).toBeLessThan(20)
  const other = { passages: 0, lost: 0 }
  intake.handOver({
    add: () => [],
    addPassage: () => ++other.passages,
    addLost({ count }) {
      other.lost += count
    },
  })
  intake.stop()
  expect(other.lost).toBeGreaterThan(0)
  expect(other.passages + other.lost).toBe(40 - outbox.size())
})

it('ends the passages that an interruption left open, once, also after a restart of the edge', () => {
  const first = begin()
  first.passage(passage(1))
  first.endPassages([3, 4])
  first.endPassages([3])
  expect(revisions()).toMatchObject([
    { revisao: 1, fim: null },
    { revisao: 2, fim: 2_000, midias: [], placa: { placa: 'ABC1D23' } },
  ])
  first.passage({ ...passage(1), passagem: OTHER })
  first.stop()
  db.close()
  open()
  const second = begin()
  second.endPassages(outbox.cameras())
  second.stop()
  const [, , , last] = revisions()
  expect(last).toMatchObject({ fim: 2_000 })
  expect(revisions()).toHaveLength(4)
})

it('continues an interrupted passage when the next process sees its plate within a minute', () => {
  const intake = begin()
  intake.passage(passage(1))
  intake.endPassages([3])
  intake.passage({ ...passage(1), passagem: OTHER, inicio: 40_000 })
  intake.passage({ ...passage(2), passagem: OTHER, inicio: 40_000, fim: 50_000 })
  const id = passage(1).passagem
  expect(revisions().map(({ passagem, revisao, inicio, fim }) => [passagem, revisao, inicio, fim])).toEqual([
    [id, 1, 1_000, null],
    [id, 2, 1_000, 2_000],
    [id, 3, 1_000, null],
    [id, 4, 1_000, 50_000],
  ])
  intake.passage({ ...passage(1), passagem: OTHER, inicio: 90_000 })
  expect(revisions().at(-1)).toMatchObject({ passagem: OTHER, revisao: 1, inicio: 90_000 })
  intake.stop()
})

const OTHER = '01900000-0000-7000-8000-000000000002'
const revisions = () =>
  outbox
    .read(3, { after: 0, upTo: 99 }, { records: 30, bytes: 1e9, atLeastOne: true })
    .flatMap(({ registro }) => (registro.tipo === 'passagem' ? [registro] : []))
