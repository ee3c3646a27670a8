import type { ParteTransmissao, RegistroTransmissao } from '@vigia/contracts/transmissao'
import { isDiskFull } from '@vigia/runtime/disk-failure'
import type { GrowingFile, MinuteFiles } from './minute-files.ts'

/** Writes the records of one stream to files of a minute. */
export interface CameraWriter {
  add(registro: RegistroTransmissao): void
  /** Makes everything added so far survive a power cut. */
  sync(): void
  /** Completes the current file. Resolves when everything added is on the disk. */
  end(): Promise<void>
}

export interface CameraWriterOptions {
  readonly cameraId: number
  readonly files: Pick<MinuteFiles, 'create'>
  /** Makes space for another file; false: the disk or the budget has none. */
  freeSpace(): Promise<boolean>
  onWritten(): void
  /** Nothing more is written after a failure. */
  onFailure(motivo: 'disco_cheio' | 'disco_indisponivel', error: unknown): void
}

const FILE_MS = 60_000
const TICKS_PER_MS = 90
/** Parts that wait for a slow disk. A recording begins with the group of the ring, of up to 24 MiB, at once. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024

export function createCameraWriter(options: CameraWriterOptions): CameraWriter {
  const { cameraId, files, freeSpace, onWritten, onFailure } = options
  let init: Uint8Array | null = null
  let file: GrowingFile | null = null
  /** Wall clock at the first picture of the file: its name may have the right time. */
  let beganAt = 0
  let hasFailed = false
  let waitingBytes = 0
  let work: Promise<void> = Promise.resolve()

  const fail = (motivo: 'disco_cheio' | 'disco_indisponivel', error: unknown) => {
    if (hasFailed) return
    hasFailed = true
    onFailure(motivo, error)
  }

  const enqueue = (step: () => Promise<void>) => {
    work = work
      .then(step)
      .catch((error: unknown) => fail(isDiskFull(error) ? 'disco_cheio' : 'disco_indisponivel', error))
    return work
  }

  const finish = async () => {
    const last = file
    file = null
    await last?.finish()
  }

  const write = async ({ chave, instante, duracao, dados }: ParteTransmissao, header: Uint8Array) => {
    if (hasFailed) return
    // A clock that is set ends the file too.
    if (chave && file && Math.abs(instante - beganAt) >= FILE_MS) await finish()
    if (!file) {
      if (!chave) return
      if (!(await freeSpace())) return fail('disco_cheio', null)
      file = await files.create(cameraId, instante, header)
      beganAt = instante
    }
    await file.append(dados, duracao / TICKS_PER_MS)
    onWritten()
  }

  return {
    add(registro) {
      if (hasFailed) return
      if (registro.tipo !== 'parte') {
        if (registro.tipo === 'inicio') init = registro.dados
        // Each file has one init segment and no gap.
        void enqueue(finish)
        return
      }
      const header = init
      const bytes = registro.dados.length
      if (!header) return
      if (waitingBytes + bytes > MAX_WAITING_BYTES) return fail('disco_indisponivel', null)
      waitingBytes += bytes
      void enqueue(() => write(registro, header)).finally(() => {
        waitingBytes -= bytes
      })
    },
    sync: () => void enqueue(async () => await file?.sync()),
    end: () => enqueue(finish),
  }
}
