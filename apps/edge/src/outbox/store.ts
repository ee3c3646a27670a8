import { createHash } from 'node:crypto'
import type { NewCandidate, NewMedia } from '@vigia/analysis/model'
import type { PassageMedia } from '@vigia/analysis/plates/passage-model'
import type { Candidato } from '@vigia/contracts/candidate'
import { type Gravidade, gravidades, ia } from '@vigia/contracts/ias'
import type { RegistroPassagem } from '@vigia/contracts/registro-passagem'
import { createBallast } from '@vigia/runtime/ballast'
import { isDiskFull } from '@vigia/runtime/disk-failure'
import type { EdgeDb } from '../db/edge-db.ts'
import { timeOfUuid } from '../db/uuid-v7.ts'
import { createExtras, type ExtraReader, type NewExtra } from './extra-store.ts'
import { createGaps } from './gap-store.ts'
import { createLaneReader, type LaneReader } from './lane-store.ts'
import { createQuota, type Dropped, isAnyDropped, type QuotaOptions } from './quota-store.ts'
import { type AnalysisStateStore, createAnalysisStateStore } from './state-store.ts'

/** A record of a passage before it has a number, with its pictures. */
export interface NewPassage {
  readonly passage: Omit<RegistroPassagem, 'tipo' | 'v' | 'seq' | 'midias' | 'midia_descartada'>
  readonly media: readonly PassageMedia[]
  readonly mediaDropped?: boolean
}

export interface NewEvent {
  readonly candidate: NewCandidate
  readonly media: readonly NewMedia[]
  /** Whether its pictures were dropped before it reached the outbox. */
  readonly mediaDropped?: boolean
  /** A clip, or the reason for its absence, follows. */
  readonly awaitsClip?: boolean
}

/**
 * Events of one camera that were dropped before they had numbers; `de`, `ate`: edge clock of the first and the last, in
 * epoch ms.
 */
export interface Loss {
  readonly cameraId: number
  readonly count: number
  readonly de: number
  readonly ate: number
}

interface OutboxSummary {
  readonly registros: number
  /** Size on the disk. */
  readonly bytes: number
  readonly por_camera: { camera_id: number; registros: number; ultimo_seq: number }[]
}

export interface Outbox extends LaneReader, AnalysisStateStore {
  /** Name of this outbox (contracts, candidate.ts: `serie`), created with its file. */
  readonly serie: string
  /**
   * Stores the events of one analysis with pictures and numbers, and the following state of that analysis, in one
   * durable transaction. After a restart, events and state are either both stored or both missing. Applies the quota.
   * Returns the number of each event. Throws if the disk cannot be written (disk-failure.ts).
   */
  add(events: readonly NewEvent[], state: unknown): readonly number[]
  /** Stores a record of a passage with its pictures and number in one durable transaction; otherwise as `add`. */
  addPassage(passage: NewPassage): number
  /** Gives numbers to lost events and stores a gap record for them. */
  addLost(loss: Loss): void
  /**
   * Sets the camera's count to at least `seq`; never lowers it. While records wait, the count is raised only after
   * their removal: a hole in their numbers would make the cloud wait for the missing records.
   */
  raiseTo(cameraId: number, seq: number): void
  /** Removes records that the cloud has stored or refused. One transaction; returns the number of records removed. */
  remove(ids: readonly string[]): number
  readonly extras: Extras
  /** Applies the quota and returns space. Called periodically: others may fill the disk while no event occurs. */
  keepSpace(): void
  size(): number
  /** Time at which the oldest record was stored in epoch ms; null: none. */
  oldestAt(): number | null
  /** The cost grows with the backlog, so use it for diagnostics and not for reports. */
  summary(): OutboxSummary
}

interface Extras extends ExtraReader {
  /** Stores an extra, and applies the quota. Throws if the disk cannot be written. */
  add(extra: NewExtra, picture: Buffer | null): void
  /** Removes extras that the cloud has stored or refused. */
  remove(ids: readonly string[]): void
}

export interface OutboxOptions extends QuotaOptions {
  /** Called in the transaction of an event that awaits a clip. */
  expectClip?(event: { readonly event: string; readonly cameraId: number; readonly seq: number }): void
  onDropped?(dropped: Dropped): void
}

/** The outbox in an open `edge.db`. Calls are synchronous and short; each change is one transaction. */
export function createOutbox(db: EdgeDb, options: OutboxOptions): Outbox {
  const nextSeqs = db.prepare<[number, number, number], { last: number }>(
    `INSERT INTO sequences (camera_id, last) VALUES (?, ?)
     ON CONFLICT (camera_id) DO UPDATE SET last = last + ? RETURNING last`,
  )
  const raise = db.prepare(
    `INSERT INTO sequences (camera_id, last) VALUES (?, ?)
     ON CONFLICT (camera_id) DO UPDATE SET last = excluded.last WHERE excluded.last > last`,
  )
  const insert = db.prepare(
    `INSERT INTO records (id, camera_id, seq, last_seq, is_gap, severity, has_media, header)
     VALUES (@id, @camera, @seq, @seq, 0, @severity, @media, @header)`,
  )
  const insertMedia = db.prepare('INSERT INTO media (record, ordinal, bytes) VALUES (?, ?, ?)')
  const removeById = db.prepare('DELETE FROM records WHERE id = ?')
  const count = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM records')
  const oldest = db.prepare<[], { id: string }>(
    'SELECT id FROM records WHERE position = (SELECT min(position) FROM records)',
  )
  const countByCamera = db.prepare<[], OutboxSummary['por_camera'][number]>(
    `SELECT camera_id, last AS ultimo_seq,
       (SELECT count(*) FROM records WHERE records.camera_id = sequences.camera_id) AS registros
     FROM sequences ORDER BY camera_id`,
  )
  const serie = db.prepare<[], { series: string }>('SELECT series FROM outbox').get()?.series
  if (serie === undefined) throw new Error('the outbox has no name')
  const reader = createLaneReader(db)
  const { put: putState, ...states } = createAnalysisStateStore(db)
  const gaps = createGaps(db)
  const extras = createExtras(db)
  const quota = createQuota(db, options)
  const ballast = createBallast(db.name)

  /** The cloud's counts that are not applied yet. */
  const pendingCounts = new Map<number, number>()

  /**
   * Writes nothing for a known count, because the cloud repeats it with every configuration. true: the count is at
   * least `seq`.
   */
  function raiseIfEmpty(cameraId: number, seq: number): boolean {
    if (seq <= reader.highest(cameraId)) return true
    if (reader.lowest(cameraId) !== null) return false
    raise.run(cameraId, seq)
    return true
  }

  function numbersFor(cameraId: number, n: number): number {
    const seq = pendingCounts.get(cameraId)
    if (seq !== undefined) raiseIfEmpty(cameraId, seq)
    const last = nextSeqs.get(cameraId, n, n)?.last
    if (last === undefined) throw new Error('no sequence number')
    return last
  }

  function insertRecord(
    header: Candidato | RegistroPassagem,
    gravidade: Gravidade,
    media: readonly { readonly bytes: Uint8Array }[],
  ) {
    const { lastInsertRowid } = insert.run({
      id: header.id,
      camera: header.camera_id,
      seq: header.seq,
      severity: gravidades.indexOf(gravidade),
      media: media.length > 0 ? 1 : 0,
      header: JSON.stringify(header),
    })
    for (const [ordinal, { bytes }] of media.entries()) insertMedia.run(lastInsertRowid, ordinal, bytes)
  }

  const insertOne = ({ candidate, media, mediaDropped, awaitsClip }: NewEvent): number => {
    const seq = numbersFor(candidate.camera_id, 1)
    const header: Candidato = {
      tipo: 'candidato',
      v: 1,
      ...candidate,
      seq,
      midias: declared(media),
      midia_descartada: mediaDropped ?? false,
    }
    insertRecord(header, ia(header.ia).gravidade, media)
    if (awaitsClip) options.expectClip?.({ event: header.id, cameraId: header.camera_id, seq })
    return seq
  }

  const add = db.transaction((events: readonly NewEvent[], state: unknown) => {
    const seqs = events.map(insertOne)
    const about = events[0]?.candidate
    if (about) putState(about.camera_id, about.ia, state)
    return { seqs, dropped: quota.enforce() }
  })

  const addPassage = db.transaction(({ passage, media, mediaDropped }: NewPassage) => {
    const seq = numbersFor(passage.camera_id, 1)
    const header: RegistroPassagem = {
      tipo: 'passagem',
      v: 1,
      ...passage,
      seq,
      midias: declared(media),
      midia_descartada: mediaDropped ?? false,
    }
    insertRecord(header, PASSAGE_SEVERITY, media)
    return { seqs: [seq], dropped: quota.enforce() }
  })

  const addLost = db.transaction(({ cameraId, count: n, de, ate }: Loss) => {
    const last = numbersFor(cameraId, n)
    gaps.insert({
      camera_id: cameraId,
      de_seq: last - n + 1,
      ate_seq: last,
      ocorrido_de: Math.min(de, ate),
      ocorrido_ate: Math.max(de, ate),
      motivo: 'disco_indisponivel',
    })
  })

  const remove = db.transaction((ids: readonly string[]) =>
    ids.reduce((removed, id) => removed + removeById.run(id).changes, 0),
  )

  const addExtra = db.transaction((extra: NewExtra, picture: Buffer | null) => {
    extras.insert(extra, picture)
    return quota.enforce()
  })
  const removeExtras = db.transaction((ids: readonly string[]) => extras.remove(ids))

  const enforce = db.transaction(() => quota.enforce())

  const reportDropped = (dropped: Dropped) => {
    if (isAnyDropped(dropped)) options.onDropped?.(dropped)
  }

  /** Changes that free space must be possible on a full disk too. */
  function freeingSpace<T>(change: () => T): T {
    try {
      return change()
    } catch (error) {
      if (!isDiskFull(error) || !ballast.drop()) throw error
      db.pragma('wal_checkpoint(TRUNCATE)')
      return change()
    }
  }

  function applyQuota() {
    reportDropped(freeingSpace(() => enforce.immediate()))
    quota.giveBack()
  }

  /** On a full disk the quota of free space may still drop content, so that the second attempt succeeds. */
  function withinQuota(change: () => { readonly seqs: readonly number[]; readonly dropped: Dropped }) {
    const attempt = () => {
      try {
        return change()
      } catch (error) {
        if (!isDiskFull(error)) throw error
        applyQuota()
        return change()
      }
    }
    const { seqs, dropped } = attempt()
    reportDropped(dropped)
    quota.giveBack()
    return seqs
  }

  return {
    ...reader,
    ...states,
    serie,
    add: (events, state) => withinQuota(() => add.immediate(events, state)),
    addPassage: (passage) => withinQuota(() => addPassage.immediate(passage))[0] ?? 0,
    addLost: (loss) => addLost.immediate(loss),
    raiseTo(cameraId, seq) {
      if (freeingSpace(() => raiseIfEmpty(cameraId, seq))) pendingCounts.delete(cameraId)
      else pendingCounts.set(cameraId, seq)
    },
    remove(ids) {
      const removed = freeingSpace(() => remove.immediate(ids))
      quota.giveBack()
      return removed
    },
    extras: {
      ...extras,
      add: (extra, picture) => reportDropped(addExtra.immediate(extra, picture)),
      remove(ids) {
        freeingSpace(() => removeExtras.immediate(ids))
        quota.giveBack()
      },
    },
    keepSpace() {
      applyQuota()
      ballast.hold(options.quota.freeBytes())
    },
    size: () => count.get()?.n ?? 0,
    oldestAt: () => timeOfUuid(oldest.get()?.id),
    summary: () => ({
      registros: count.get()?.n ?? 0,
      bytes: quota.usedBytes(),
      por_camera: countByCamera.all(),
    }),
  }
}

/** The list may block the vehicle: the edge does not know the lists. */
export const PASSAGE_SEVERITY: Gravidade = 'alta'

const declared = <T extends string>(media: readonly { readonly papel: T; readonly bytes: Uint8Array }[]) =>
  media.map(({ papel, bytes }) => ({
    papel,
    tipo: 'image/jpeg' as const,
    tamanho: bytes.byteLength,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }))
