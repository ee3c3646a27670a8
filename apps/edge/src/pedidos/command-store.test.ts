import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import { createCommandStore } from './command-store.ts'

/** Any time works, because the store does not use the clock of this machine. */
const MOMENT = 1_800_000_000_000
const MINUTE = 60_000

let dir: string
let db: EdgeDb
const log = pino({ level: 'silent' })

beforeEach(async () => {
  dir = temporaryFolder('vigia-pedidos-')
  db = open()
})
afterEach(async () => {
  db.close()
  await rm(dir, { recursive: true })
})

function open(): EdgeDb {
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  return opened.db
}
/** Simulates a restart of the program. */
function begin() {
  db.close()
  db = open()
  return createCommandStore(db, log)
}
const rows = () => db.prepare('SELECT count(*) FROM commands').pluck().get()

it('admits each command once, also after a restart', () => {
  const [one, two] = [randomUUID(), randomUUID()]
  const store = begin()
  expect(store.admit(one, MOMENT)).toBe('novo')
  expect(store.admit(one, MOMENT)).toBe('repetido')
  // The same content with a new id is another command.
  expect(store.admit(two, MOMENT)).toBe('novo')
  const later = begin()
  expect([one, two].map((id) => later.admit(id, MOMENT))).toEqual(['repetido', 'repetido'])
})

it('refuses commands issued more than ten minutes before the newest and remembers the others', () => {
  const old = randomUUID()
  const store = begin()
  expect(store.admit(old, MOMENT)).toBe('novo')
  expect(store.admit(randomUUID(), MOMENT + 10 * MINUTE)).toBe('novo')
  expect(store.admit(old, MOMENT)).toBe('repetido')
  expect(store.admit(randomUUID(), MOMENT)).toBe('novo')
  expect(store.admit(randomUUID(), MOMENT - 1)).toBe('repetido')
  const weeks = MOMENT + 21 * 24 * 60 * MINUTE
  expect(store.admit(randomUUID(), weeks)).toBe('novo')
  const later = begin()
  expect(later.admit(old, MOMENT)).toBe('repetido')
  expect(later.admit(randomUUID(), weeks - 11 * MINUTE)).toBe('repetido')
})

it('stays small', () => {
  const store = begin()
  for (let minute = 0; minute < 500; minute++) store.admit(randomUUID(), MOMENT + minute * MINUTE)
  expect(rows()).toBe(11)
})

it('reports an unsaved command, remembers it in memory, and saves it once the disk is writable', () => {
  const store = begin()
  const [one, two] = [randomUUID(), randomUUID()]
  db.pragma('query_only = ON')
  expect(store.admit(one, MOMENT)).toBe('nao_guardado')
  expect(store.admit(one, MOMENT)).toBe('repetido')
  expect(store.admit(randomUUID(), MOMENT - 11 * MINUTE)).toBe('repetido')
  db.pragma('query_only = OFF')
  expect(store.admit(two, MOMENT)).toBe('novo')
  const later = begin()
  expect([one, two].map((id) => later.admit(id, MOMENT))).toEqual(['repetido', 'repetido'])
})
