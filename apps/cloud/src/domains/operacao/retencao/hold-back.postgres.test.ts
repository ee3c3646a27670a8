import { join } from 'node:path'
import { prazosFixos, regrasRetencao } from '@vigia/contracts/retencao'
import { fixture } from '@vigia/testing/fixture'
import { pino } from 'pino'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createFileMediaStore } from '../../../adapters/media-store/file-media-store.ts'
import type { Database } from '../../../db/open.ts'
import { isPostgres } from '../../../db/postgres-dialect.ts'
import { seedCanal } from '../../../test/records/queue-records.ts'
import { seedCamera } from '../../../test/records/records.ts'
import { DAY_MS, type Seeded } from '../../../test/records/retention-records.ts'
import {
  countOwn,
  countSeeded,
  heldKinds,
  keepEventos,
  type OwnKind,
  ownKinds,
  restartAges,
  type SeededKind,
  seededKinds,
  seedInscricao,
  seedKind,
  seedOwnKind,
} from '../../../test/stores/relogio-store.ts'
import { sweepInstallation } from '../../../test/walks/aged-sweeps.ts'
import { openTwoPools } from '../../../test/walks/races.ts'
import { enqueueAviso } from '../../mensagens/notificacoes/enqueue-aviso.ts'
import { createAgeClock } from '../saude/relogio/age-clock.ts'
import { confirmHeld } from '../saude/relogio/store.ts'
import { sweepEmpresa } from './sweep-empresa.ts'

const HOUR_MS = 3_600_000
const YEAR_MS = 365 * DAY_MS
/** More than every retention. */
const BACK_MS = 3 * YEAR_MS
const NOON = Date.UTC(2026, 10, 21, 12)
const log = pino({ level: 'silent' })
let seeded: Seeded & { readonly canalId: number; readonly inscricaoId: number }
let elapsed: number
/** Error of the wall clocks of both machines. */
let ahead: number
let replicas: readonly { readonly db: Database; readonly ages: ReturnType<typeof createAgeClock> }[]

const pools = fixture(openTwoPools)

beforeAll(async () => {
  const { one: db, dir } = pools
  expect(isPostgres(db)).toBe(true)
  const camera = await seedCamera(db)
  const { id: canalId } = await seedCanal(db, { empresa_id: camera.empresaId, destino: 'https://exemplo.com.br/a' })
  const media = createFileMediaStore({ dir: join(dir, 'media') })
  seeded = { db, media, ...camera, canalId, inscricaoId: await seedInscricao(db) }
  await keepEventos(db, camera.empresaId)
})
beforeEach(async () => {
  await restartAges(pools.one, NOON)
  elapsed = 0
  ahead = 0
  const clock = { now: () => NOON + elapsed + ahead }
  const open = (db: Database) => ({ db, ages: createAgeClock({ db, clock, monotonic: () => elapsed, log }) })
  replicas = [open(pools.one), open(pools.two)]
  await steps()
})

const steps = () => Promise.all(replicas.map(({ ages }) => ages.step()))
async function pass(hours: number) {
  for (let hour = 0; hour < hours; hour += 1) {
    elapsed += HOUR_MS
    await steps()
  }
}

type Kind = SeededKind | OwnKind
const isOwn = (kind: Kind): kind is OwnKind => ownKinds.includes(kind as OwnKind)
const daysOf = (kind: Kind) => (isOwn(kind) ? regrasRetencao[kind].padrao : prazosFixos[kind])
const seed = (kind: Kind, n: number, at: number) =>
  isOwn(kind) ? seedOwnKind(seeded, kind, n, at) : seedKind(seeded, kind, n, at)
const count = (kind: Kind) => (isOwn(kind) ? countOwn(pools.one, kind) : countSeeded(pools.one, kind))

/** On both replicas at once. */
const sweep = (kind: Kind) =>
  Promise.all(
    replicas.map(({ db, ages }) => {
      const deps = { ...seeded, db, log, now: ages.now(), warn: enqueueAviso }
      if (!isOwn(kind)) return sweepInstallation(deps, kind)
      return sweepEmpresa({ ...deps, clock: ages }, seeded.empresaId, new AbortController().signal)
    }),
  )

describe.each([...ownKinds, ...seededKinds])('%s, on two replicas', (kind) => {
  it('a sweep that would delete more than half waits once, until it is confirmed', async () => {
    const kept = await count(kind)
    await seed(kind, 101, NOON - (daysOf(kind) + 1) * DAY_MS)
    await seed(kind, 50, NOON)
    await sweep(kind)
    await sweep(kind)
    expect(await heldKinds(pools.one)).toEqual([kind])
    expect(await count(kind)).toBe(kept + 151)
    await confirmHeld(pools.two)
    await sweep(kind)
    expect(await heldKinds(pools.one)).toEqual([])
    expect(await count(kind)).toBe(kept + 50)
  })

  it('clocks a year ahead delete nothing, and stamps of clocks that were set back are young', async () => {
    const before = await count(kind)
    ahead = YEAR_MS
    await pass(2)
    await sweep(kind)
    expect(await count(kind)).toBe(before)
    ahead = -BACK_MS
    await pass(1)
    await seed(kind, 1, NOON + elapsed + ahead)
    ahead = 0
    await pass(1)
    await sweep(kind)
    expect(await count(kind)).toBe(before + 1)
  })
})
