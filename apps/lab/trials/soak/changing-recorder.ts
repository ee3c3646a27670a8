import type { Camera } from '@vigia/contracts/cameras'
import type { Queda } from '@vigia/contracts/eventos'
import type { Api } from '@vigia/testing/api'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'

/** Faults of a recorder that takes turns with them. Between two of them it is off: it reboots. */
const changes = {
  size: { defeito: 'parametros_mudam', quadros: 100 },
  // No multiple of the group of pictures (20): a group whose every keyframe is lost has no picture.
  loss: { defeito: 'perde_pacotes', quadros: 27 },
  clock: { defeito: 'salto_de_tempo', quadros: 100 },
} as const
type Change = keyof typeof changes

/** Waits between so many seconds; rejects at the end of the run. */
export type Seconds = (low: number, high: number) => Promise<void>

export interface ChangingRecorder {
  readonly recorder: RecorderProcess
  /** Number of turns of each fault, and of reboots. */
  readonly counts: Record<Change | 'reboot', number>
  /** It is between two turns. */
  isOff(): boolean
  /** Changes until `seconds` rejects; afterwards the recorder runs. */
  change(seconds: Seconds): Promise<void>
}

/** A queda begins 45 s after the last frame of its camera. Reports of a frozen line are late. */
const OFF_S = 80
/** Frames that a fault needs, and the time in which a queda ends. */
const ON_S = [50, 90] as const
/** End of all interruptions after the run. */
const SETTLE_MS = 240_000

export async function startChangingRecorder(): Promise<ChangingRecorder> {
  const recorder = await startRecorder({ defeitos: { 1: changes.size } })
  const counts = { size: 1, loss: 0, clock: 0, reboot: 0 }
  const turns = Object.keys(changes) as Change[]
  let isOff = false
  return {
    recorder,
    counts,
    isOff: () => isOff,
    async change(seconds) {
      for (let turn = 1; ; turn++) {
        const next = turns[turn % turns.length] ?? 'size'
        try {
          await seconds(...ON_S)
          await recorder.kill()
          isOff = true
          await seconds(OFF_S, OFF_S)
          counts.reboot++
        } catch {
          // A last reboot that was cut short may have no queda.
          if (isOff) await recorder.start({ 1: changes[next] })
          isOff = false
          return
        }
        await recorder.start({ 1: changes[next] })
        isOff = false
        counts[next]++
      }
    },
  }
}

export interface Interruptions {
  readonly reboots: number
  /** Quedas of the camera of the changing recorder. */
  readonly counted: number
  /** Quedas of these cameras and of their edge without an end, by name. */
  readonly open: readonly string[]
}

/** Waits until these cameras are online and no queda of theirs is open. The last one has the changing recorder. */
export async function readInterruptions(
  api: Api,
  cameraIds: readonly number[],
  reboots: number,
): Promise<Interruptions> {
  // The load adds cameras and edges that nobody serves.
  const open = async () => {
    const quedas = await api.get<Queda[]>('/quedas?abertas=true')
    return quedas.filter(({ camera_id, empresa_id }) =>
      camera_id === null ? empresa_id === null : cameraIds.includes(camera_id),
    )
  }
  await waitFor(
    'the end of all interruptions',
    async () => {
      const cameras = await api.get<Camera[]>('/cameras')
      const own = cameras.filter(({ id }) => cameraIds.includes(id))
      return own.every(({ status }) => status === 'online') && (await open()).length === 0
    },
    { timeoutMs: SETTLE_MS, everyMs: 2_000 },
  ).catch(() => {})
  const own = await api.get<Queda[]>(`/quedas?camera_id=${cameraIds.at(-1)}`)
  return { reboots, counted: own.length, open: (await open()).map(({ nome, motivo }) => `${nome}: ${motivo}`) }
}
