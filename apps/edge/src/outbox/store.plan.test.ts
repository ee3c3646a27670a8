import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type EdgeDb, openEdgeDb } from '../db/edge-db.ts'
import { createOutbox } from './store.ts'
import { candidate, unlimited } from './testing/candidates.ts'

let dir = ''
let db: EdgeDb
/** Every statement prepared by the outbox. */
let statements: string[] = []

beforeEach(() => {
  dir = temporaryFolder('vigia-plan-')
  const opened = openEdgeDb(join(dir, 'edge.db'))
  if (!opened.ok) throw new Error(opened.reason)
  db = opened.db
  statements = []
})
afterEach(() => {
  db.close()
  rmSync(dir, { recursive: true, force: true })
})

function open() {
  const spied = new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        if (name === 'prepare') statements.push(String(args[0]))
        return Reflect.apply(value, target, args)
      }
    },
  })
  return createOutbox(spied, { quota: unlimited(), inFlight: () => new Set() })
}

const plan = (sql: string): string[] => {
  const parameters = sql.includes('@') ? [{}] : (sql.match(/\?/g) ?? []).map(() => 1)
  const named = Object.fromEntries([...sql.matchAll(/@(\w+)/g)].map(([, name]) => [name, 1]))
  const explain = db.prepare(`EXPLAIN QUERY PLAN ${sql}`)
  const rows = sql.includes('@') ? explain.all(named) : explain.all(...parameters)
  return (rows as { detail: string }[]).map(({ detail }) => detail)
}

it('finds every record by an index, without a scan of the records and without sorting', () => {
  open()
  expect(statements.length).toBeGreaterThan(20)
  const slow = statements.filter((sql) => plan(sql).some((detail) => /SCAN (records|media)|TEMP B-TREE/.test(detail)))
  // Counting needs a scan: reports request it every few seconds, and it reads only the smallest index.
  expect(slow).toEqual(['SELECT count(*) AS n FROM records'])
  expect(plan(slow[0] ?? '')).toEqual([expect.stringMatching(/USING COVERING INDEX/)])
})

it('reads at the same speed from 100,000 records as from 100', () => {
  const outbox = open()
  const insert = db.prepare(
    `INSERT INTO records (id, camera_id, seq, last_seq, is_gap, severity, has_media, header)
     VALUES (@id, @camera, @seq, @seq, 0, @severity, 0, @header)`,
  )
  const fill = db.transaction((from: number, to: number) => {
    for (let seq = from; seq <= to; seq++) {
      const camera = 1 + (seq % 8)
      const header = { tipo: 'candidato', v: 1, ...candidate(camera), seq, midias: [], midia_descartada: false }
      insert.run({ id: header.id, camera, seq, severity: seq % 4, header: JSON.stringify(header) })
    }
  })
  /** Processor time of 200 rounds of the sender's queries, in µs; the least of several. */
  const round = (middle: number) => {
    let best = Number.POSITIVE_INFINITY
    for (let time = 0; time < 5; time++) {
      const before = process.cpuUsage()
      for (let i = 0; i < 200; i++) {
        outbox.lowest(3)
        outbox.lowest(3, middle)
        outbox.read(3, { after: middle, upTo: 1e9 }, { records: 8, bytes: 1e6, atLeastOne: true })
      }
      const { user, system } = process.cpuUsage(before)
      best = Math.min(best, user + system)
    }
    return best
  }
  fill(1, 200)
  const few = round(100)
  fill(201, 100_000)
  const many = round(50_000)
  expect(many).toBeLessThan(few * 4)
})
