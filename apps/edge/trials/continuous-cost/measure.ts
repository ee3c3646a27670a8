import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startProgram } from '@vigia/testing/program'
import pino from 'pino'
import { createContinuous } from '../../src/continuous/continuous.ts'
import { diskKind } from '../../src/continuous/disk-kind.ts'
import { PART_MS } from '../../src/continuous/running-recordings.ts'
import type { StreamTarget } from '../../src/supervisor/stream-orders.ts'
import type { FromReader, ReadOrder } from './protocol.ts'

const footage = fileURLToPath(new URL('../../../dvr-simulator/footage/campus-a-principal.mp4', import.meta.url))
const readerEntry = fileURLToPath(new URL('./reader.ts', import.meta.url))
const SETTLE_MS = 5_000
const DAY_S = 86_400

export interface RecordingCost {
  readonly disk: string
  /** CPU seconds per second and camera: of reading alone, and of reading and recording. */
  readonly readingCores: number
  readonly recordingCores: number
  /** GB a day of one camera: of the files, and of the writes that the kernel counts for this process. */
  readonly fileGb: number
  readonly writtenGb: number
}

/** Records simulated sub streams below `folder` for `seconds`, and reads them without recording as long. */
export async function measureRecording(
  cameras: number,
  seconds: number,
  folder: string,
  onProgress: (fraction: number, title: string) => void,
): Promise<RecordingCost> {
  const recorder = await startProgram({
    entry: 'apps/dvr-simulator/src/main.ts',
    args: ['--porta', '0', ...Array.from({ length: cameras }, () => ['--canal', footage]).flat()],
    env: { VIGIA_SIM_USUARIO: 'vigia', VIGIA_SIM_SENHA: 'carga' },
  })
  const urls = Array.from(
    { length: cameras },
    (_, i) => `rtsp://vigia:carga@127.0.0.1:${recorder.porta}/cam/realmonitor?channel=${i + 1}&subtype=0`,
  )
  const dir = await mkdtemp(join(folder, 'vigia-continua-'))
  try {
    onProgress(0, 'reading')
    const reading = await measureOne({ urls, records: false, partMs: PART_MS }, seconds, dir)
    onProgress(0.5, 'reading and recording')
    const recording = await measureOne({ urls, records: true, partMs: PART_MS }, seconds, dir)
    const gb = (bytes: number) => ((bytes / recording.elapsedS) * DAY_S) / cameras / 1e9
    return {
      disk: diskKind(dir),
      readingCores: reading.cpuS / reading.elapsedS / cameras,
      recordingCores: recording.cpuS / recording.elapsedS / cameras,
      fileGb: gb(recording.fileBytes),
      writtenGb: gb(recording.writtenBytes),
    }
  } finally {
    await recorder.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

async function measureOne(order: ReadOrder, seconds: number, folder: string) {
  const targets = new Map<number, StreamTarget>()
  const continuous = createContinuous({
    owner: 'medida',
    folder,
    log: pino({ level: 'warn' }),
    reserveBytes: 0,
    freeBytes: () => null,
    kind: 'ssd',
    stream({ cameraId }, target) {
      targets.set(cameraId, target)
      return () => targets.delete(cameraId)
    },
  })
  await continuous.start()
  const recorded = order.urls.map((url, id) => ({ id, isMasked: false, fontes: { rtsp_url: url, sub_rtsp_url: url } }))
  continuous.apply(order.records ? recorded : [], 1e12)
  const reader = fork(readerEntry, { serialization: 'advanced' })
  reader.on('message', (message: FromReader) => {
    if (message.kind === 'record') targets.get(message.camera)?.onRecord(message.registro)
  })
  reader.send(order)
  const figures = async () => ({
    at: performance.now(),
    cpuS: (await readerCpu(reader)) + ownCpuS(),
    fileBytes: recorded.reduce(
      (sum, { id }) => sum + continuous.files.list(id).reduce((all, { bytes }) => all + bytes, 0),
      0,
    ),
    writtenBytes: writtenBytes(),
  })
  await delay(SETTLE_MS)
  const before = await figures()
  await delay(seconds * 1_000)
  const after = await figures()
  reader.disconnect()
  await once(reader, 'exit')
  await continuous.stop()
  return {
    elapsedS: (after.at - before.at) / 1_000,
    cpuS: after.cpuS - before.cpuS,
    fileBytes: after.fileBytes - before.fileBytes,
    writtenBytes: after.writtenBytes - before.writtenBytes,
  }
}

async function readerCpu(reader: ReturnType<typeof fork>): Promise<number> {
  const answer = new Promise<number>((resolve) => {
    const listen = (message: FromReader) => {
      if (message.kind !== 'cpu') return
      reader.off('message', listen)
      resolve(message.seconds)
    }
    reader.on('message', listen)
  })
  reader.send({})
  return await answer
}

function ownCpuS(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Bytes that this process caused to be written to disks (proc(5)). */
const writtenBytes = (): number =>
  Number(/^write_bytes: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? Number.NaN)
