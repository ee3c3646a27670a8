import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDiskFolder } from '@vigia/testing/temporary-folder'
import { createFileMediaStore } from '../../../src/adapters/media-store/file-media-store.ts'
import { openDatabase } from '../../../src/db/open.ts'
import { ingestBatch } from '../../../src/domains/operacao/ingestao/ingest-batch.ts'
import { createIngestTurns, ratesFor } from '../../../src/domains/operacao/ingestao/ingest-turns.ts'
import { batch, candidate, JPEG, seedCamera } from '../../../src/test/records/records.ts'
import { type Rate, rateOfCopy, rateOfRows, seedCounts } from './peer-store.ts'
import { readTask, reportProgress, reportResult } from './report.ts'

/**
 * Stores batches as the link delivers them, then the same rows and pictures with a plain loop, in turns. Each round has
 * its own folder.
 */
interface Task {
  readonly rounds: number
  readonly batches: number
}

/** Records of the largest batch of an edge. */
const RECORDS = 64
/** Edges that send at the same time. The cloud works on as many batches at once (ingest-turns.ts). */
const EDGES = 4
/** Bytes of crop and whole frame of an event at 640x480 (docs/performance.md, "Extras on the disk of an edge"). */
const CROP_BYTES = 5_700
const FRAME_BYTES = 20_000

interface Round {
  /** Records per second. */
  readonly ingest: Rate
  /** Batches one after the other, and `EDGES` at once. */
  readonly copy: Rate
  readonly copyAtOnce: Rate
  readonly rows: Rate
}

/** A JPEG of `bytes` bytes and 640x480 pixels: a comment segment (ITU-T T.81 B.2.4.5) pads the picture. */
function picture(bytes: number): Buffer {
  const segment = Buffer.alloc(bytes - JPEG.length, 0x20)
  segment.writeUInt16BE(0xff_fe, 0)
  segment.writeUInt16BE(segment.length - 2, 2)
  const sized = Buffer.from(JPEG)
  const header = sized.indexOf(Buffer.from([0xff, 0xc0]))
  sized.writeUInt16BE(480, header + 5)
  sized.writeUInt16BE(640, header + 7)
  return Buffer.concat([sized.subarray(0, 2), segment, sized.subarray(2)])
}

async function ingestAll(dir: string, batches: number): Promise<{ rate: Rate; before: ReadonlyMap<string, number> }> {
  const file = join(dir, 'vigia.db')
  const db = await openDatabase(file)
  const deps = { db, media: createFileMediaStore({ dir: join(dir, 'media') }), clock: { now: Date.now } }
  const turns = createIngestTurns({
    limits: { records: ratesFor(1e9), bytes: ratesFor(1e12) },
    monotonic: () => performance.now(),
  })
  const [crop, quadro] = [picture(CROP_BYTES), picture(FRAME_BYTES)]
  const edges = await Promise.all(
    Array.from({ length: EDGES }, async () => {
      const { edgeId, cameraId } = await seedCamera(db)
      const payloads = Array.from({ length: batches / EDGES }, (_, i) =>
        batch(Array.from({ length: RECORDS }, (_, j) => candidate(cameraId, i * RECORDS + j + 1, { crop, quadro }))),
      )
      return { edgeId, payloads }
    }),
  )
  const before = seedCounts(file)
  const begun = performance.now()
  await Promise.all(
    edges.map(async ({ edgeId, payloads }) => {
      for (const payload of payloads)
        await turns.run(edgeId, payload.length, async () => {
          const ingested = await ingestBatch(deps, edgeId, payload)
          if (!ingested.ok || ingested.gravados !== RECORDS) throw new Error('a batch was not stored')
          return RECORDS
        })
    }),
  )
  const rate = (batches * RECORDS * 1000) / (performance.now() - begun)
  await db.destroy()
  return { rate, before }
}

async function measureRound(batches: number, onStep: (title: string) => void): Promise<Round> {
  const dir = temporaryDiskFolder('vigia-ingestao-')
  try {
    onStep('ingestão')
    const { rate: ingest, before } = await ingestAll(dir, batches)
    const copied = { dir, before, batches, records: batches * RECORDS }
    onStep('laço com as mesmas linhas e imagens')
    const copy = await rateOfCopy({ ...copied, atOnce: 1 })
    onStep(`o mesmo laço, ${EDGES} lotes ao mesmo tempo`)
    const copyAtOnce = await rateOfCopy({ ...copied, atOnce: EDGES })
    onStep('só as linhas dos eventos')
    return { ingest, copy, copyAtOnce, rows: rateOfRows({ dir, batches }) }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

const { rounds, batches } = readTask<Task>()
const measured: Round[] = []
for (let round = 0; round < rounds; round += 1) {
  let step = 0
  measured.push(
    await measureRound(batches, (title) => {
      reportProgress((round + step / 4) / rounds, `${title} (${round + 1} de ${rounds})`)
      step += 1
    }),
  )
}
reportResult(measured)
