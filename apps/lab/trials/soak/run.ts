import { setTimeout as delay } from 'node:timers/promises'
import { type Installation, startInstallation } from '@vigia/testing/installation'
import { seededRandom } from '@vigia/testing/random'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import {
  type ChangingRecorder,
  type Interruptions,
  readInterruptions,
  type Seconds,
  startChangingRecorder,
} from './changing-recorder.ts'
import { type HttpLoad, startHttpLoad } from './http-load.ts'
import { judgeGrowth, type RoleVerdict, type TimedSample } from './plateau.ts'
import { sampleProcesses } from './processes.ts'

const SAMPLE_MS = 2_000

export interface SoakRun {
  readonly roles: readonly RoleVerdict[]
  /** Number of failures of the recorder and the line. */
  readonly flaps: { readonly recorder: number; readonly line: number }
  readonly changes: ChangingRecorder['counts']
  readonly interruptions: Interruptions
}

/**
 * Runs a real installation for `lengthMs` with one steady camera. The recorder of a second camera and the line between
 * edge and broker fail every few seconds. That of a third camera, over UDP, reboots every two or three minutes; between
 * that it changes its size, loses packets, or sets its clock. A load requests every route of the API meanwhile.
 */
export async function runSoak(lengthMs: number, seed: number, onProgress: (doneMs: number) => void): Promise<SoakRun> {
  const random = seededRandom(seed)
  const steady = await startRecorder()
  const flapping = await startRecorder()
  const changing = await startChangingRecorder()
  let vigia: Installation | null = null
  let load: HttpLoad | null = null
  const ended = new AbortController()
  const work: Promise<void>[] = []
  try {
    vigia = await startInstallation({ VIGIA_LOG_LEVEL: 'warn' }, { lines: { random } })
    const api = await vigia.signIn()
    const { id } = await api.call<{ id: number }>('POST', '/empresas', { nome: 'Resistência' })
    const ids: number[] = []
    for (const recorder of [steady, flapping, changing.recorder]) {
      const camera = { nome: `Câmera ${ids.length + 1}`, empresa_id: id, rtsp_url: recorder.url(1) }
      ids.push((await api.call<{ id: number }>('POST', '/cameras', camera)).id)
    }
    await api.call('PUT', `/cameras/${ids.at(-1)}/transporte`, { transporte: 'udp' })

    const flaps = { recorder: 0, line: 0 }
    const begun = performance.now()
    const seconds = async (low: number, high: number) => {
      await delay(1000 * (low + random() * (high - low)), undefined, { signal: ended.signal })
    }
    work.push(flapRecorder(flapping, seconds, () => flaps.recorder++))
    work.push(changing.change(seconds))
    work.push(flapLine(vigia, { seconds, mayFlap: changing.isOff }, () => flaps.line++))

    load = startHttpLoad(vigia, seed)
    const samples: TimedSample[] = []
    const { broker, cloud, edge } = vigia.programs
    while (performance.now() - begun < lengthMs) {
      const atMs = performance.now() - begun
      for (const sample of await sampleProcesses([broker.pid, cloud.pid, edge.pid])) samples.push({ ...sample, atMs })
      onProgress(atMs)
      await Promise.race([delay(SAMPLE_MS), load.failed])
    }
    ended.abort()
    await load.stop()
    await Promise.all(work)
    // A session lasts an hour.
    const interruptions = await readInterruptions(await vigia.signIn(), ids, changing.counts.reboot)
    return { roles: judgeGrowth(samples, lengthMs), flaps, changes: changing.counts, interruptions }
  } finally {
    ended.abort()
    await load?.stop()
    await Promise.all(work)
    await vigia?.close()
    await Promise.all([steady.close(), flapping.close(), changing.recorder.close()])
  }
}

/** Afterwards the recorder runs. */
async function flapRecorder(recorder: RecorderProcess, seconds: Seconds, onFlap: () => void): Promise<void> {
  for (;;) {
    let isOff = false
    try {
      await seconds(3, 8)
      await recorder.kill()
      isOff = true
      await seconds(1, 4)
    } catch {
      if (isOff) await recorder.start()
      return
    }
    await recorder.start()
    onFlap()
  }
}

/** A queda ends after 15 s online, so that the line holds while the changing recorder runs. */
async function flapLine(
  { lines }: Installation,
  { seconds, mayFlap }: { readonly seconds: Seconds; mayFlap(): boolean },
  onFlap: () => void,
): Promise<void> {
  for (;;) {
    try {
      await seconds(3, 8)
      if (!mayFlap()) continue
      lines?.edge.cut()
      lines?.edge.set({ frozen: true })
      await seconds(1, 4)
    } catch {
      return
    } finally {
      lines?.edge.set({ frozen: false })
    }
    onFlap()
  }
}
