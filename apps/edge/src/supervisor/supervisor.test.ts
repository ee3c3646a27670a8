import { fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { SavedState } from '@vigia/analysis/model'
import { task } from '@vigia/analysis/testing/tasks'
import type { Fontes } from '@vigia/contracts/edge-state'
import { waitFor } from '@vigia/testing/wait'
import type { KeptClient } from '@vigia/video/client-choice'
import pino from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { createHostSlots } from './host-slots.ts'
import { createSupervisor, type Supervisor, type SupervisorOptions } from './supervisor.ts'
import { unread } from './testing/idle.ts'

const entry = new URL('./testing/capture-child.ts', import.meta.url)
const url = (behaviour: string) => `rtsp://usuario:segredo@127.0.0.1:9/${behaviour}`
const whole = { waitMs: 60_000, maxSide: null }
const ok = (id: number) => task(id, url('ok'))

let supervisor: Supervisor
let given: SavedState[] = []
afterEach(() => supervisor.stop())

function start(options: Partial<SupervisorOptions> = {}): Supervisor {
  given = []
  supervisor = createSupervisor({
    log: pino({ level: 'silent' }),
    entry,
    backoff: { minMs: 50, maxMs: 200 },
    slots: createHostSlots(2),
    ...unread,
    onStates: (states) => given.push(...states),
    ...options,
  })
  return supervisor
}

const online = (...ids: number[]) =>
  waitFor(`cameras ${ids} online`, () => ids.every((id) => supervisor.status(id)?.stream.online), { everyMs: 10 })
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
const pid = (id: number) => supervisor.pidOf(id) ?? Number.NaN

describe('createSupervisor', () => {
  it('reads up to eight cameras in one process and the ninth in another', async () => {
    start().apply(Array.from({ length: 9 }, (_, i) => ok(i + 1)))
    await online(1, 2, 3, 4, 5, 6, 7, 8, 9)
    expect(new Set([1, 2, 3, 4, 5, 6, 7, 8].map(pid)).size).toBe(1)
    expect(pid(9)).not.toBe(pid(1))
  })

  it('hides stream addresses from other users, and the secrets of the main process from the child', async () => {
    process.env.VIGIA_ATIVACAO_CODIGO = 'codigo-de-uma-vez'
    start().apply([ok(1)])
    await online(1)
    const seen = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${pid(1)}/${file}`, 'utf8')).join('\n')
    delete process.env.VIGIA_ATIVACAO_CODIGO
    expect(seen).not.toMatch(/segredo|codigo-de-uma-vez/)
    expect(seen).toContain('UV_THREADPOOL_SIZE=24')
  })

  it("reads with FFmpeg's client the named cameras and the remembered addresses, else with the own one", async () => {
    const kept: KeptClient[] = [{ url: url('ok?third'), client: 'own_udp' }]
    const rtspClients = {
      first: ({ id }: { id: number }) => (id === 2 ? ('ffmpeg' as const) : ('own' as const)),
      kept: ({ fontes }: { fontes: Fontes }) => kept.filter((one) => one.url === fontes.rtsp_url),
      keep: (_id: number, one: KeptClient) => void kept.push(one),
    }
    start({ rtspClients }).apply([ok(1), ok(2), task(3, url('ok?third')), task(4, url('ffmpeg'))])
    await online(1, 2, 3, 4)
    const details = [1, 2, 3].map((id) => supervisor.status(id)?.stream.detail)
    expect(details).toEqual(['own', 'ffmpeg', `own own_udp ${url('ok?third')}`])
    // The process of the fourth camera reports that FFmpeg's client reads it.
    await waitFor('the address kept', () => kept.some((one) => one.url === url('ffmpeg')), { everyMs: 10 })
  })

  it('changes, adds and removes cameras without restarting the others', async () => {
    start().apply([ok(1), ok(2)])
    await online(1, 2)
    const before = pid(1)
    supervisor.apply([ok(1), task(2, url('ok'), { conf: 0.9 }), ok(3)])
    await online(3)
    supervisor.apply([ok(1), ok(3)])
    expect(supervisor.status(2)).toBeNull()
    await online(1, 3)
    expect([pid(1), pid(3)]).toEqual([before, before])
    // One message per camera at the start, one for the change of the second, none for the others.
    await waitFor('all tasks given', () => given.length >= 4, { everyMs: 10 })
    expect(given.map(({ cameraId }) => cameraId).sort()).toEqual([1, 2, 2, 3])
  })

  it('ends a process without cameras', async () => {
    start().apply([ok(1)])
    await online(1)
    const gone = pid(1)
    supervisor.apply([])
    await waitFor('the process to end', () => !isAlive(gone), { everyMs: 10 })
  })

  it('replaces a killed process, reports it, and passes the states of the analyses on', async () => {
    const reasons: unknown[] = []
    start({
      states: () => ({ invasao: { seen: true } }),
      onChange: () => reasons.push(supervisor.status(1)?.stream.failure),
    }).apply([ok(1)])
    await online(1)
    const killed = pid(1)
    process.kill(killed, 'SIGKILL')
    await waitFor('another process', () => pid(1) > 0 && pid(1) !== killed, { everyMs: 10 })
    await online(1)
    expect(reasons).toContain('captura_reiniciada')
    expect(given.at(-1)?.state).toEqual({ seen: true })
  })

  it('counts no crash of a camera when its process is killed from outside', async () => {
    start({ crashLimit: 1 }).apply([ok(1), ok(2)])
    await online(1, 2)
    const killed = pid(1)
    process.kill(killed, 'SIGKILL')
    await waitFor('another process', () => pid(1) > 0 && pid(1) !== killed, { everyMs: 10 })
    expect(pid(2)).toBe(pid(1))
  })

  it('isolates the camera with the largest pictures when its process is killed', async () => {
    start().apply([ok(1), task(2, url('large')), ok(3)])
    await online(1, 2, 3)
    process.kill(pid(2), 'SIGKILL')
    await waitFor('the large camera alone', () => pid(1) > 0 && pid(2) > 0 && pid(1) !== pid(2), { everyMs: 5 })
    await online(1, 2, 3)
    expect(pid(3)).toBe(pid(1))
  })

  it('kills a process above its share of memory, and says what to do about its only camera', async () => {
    const shares: unknown[] = []
    start({
      memoryShare(cameras, total) {
        shares.push([cameras, total])
        return 180 * 1024 * 1024
      },
      memoryEveryMs: 20,
      camerasPerProcess: 1,
    }).apply([ok(1), task(2, url('grow'))])
    await waitFor('the reason', () => supervisor.status(2)?.stream.failure === 'video_grande_demais', { everyMs: 5 })
    expect(supervisor.status(2)?.stream.detail).toMatch(/^a captura usou \d+ MiB; o limite é 180 MiB$/)
    expect(shares).toContainEqual([1, 2])
    await online(1)
  })

  it('has the kernel end a capture process before the main process', async () => {
    start().apply([ok(1)])
    await online(1)
    const scoreOf = (of: number) => Number(readFileSync(`/proc/${of}/oom_score_adj`, 'utf8'))
    expect(scoreOf(pid(1))).toBeGreaterThan(scoreOf(process.pid))
  })

  it('kills and replaces a hung process', async () => {
    start({ silenceMs: 400 }).apply([task(1, url('hang'))])
    await online(1)
    const hung = pid(1)
    await waitFor('another process', () => pid(1) > 0 && pid(1) !== hung, { everyMs: 10 })
    expect(isAlive(hung)).toBe(false)
  })

  it('kills and replaces a process stopped by a signal', async () => {
    start({ silenceMs: 400 }).apply([ok(1)])
    await online(1)
    const stopped = pid(1)
    process.kill(stopped, 'SIGSTOP')
    await waitFor('another process', () => pid(1) > 0 && pid(1) !== stopped, { everyMs: 10 })
    expect(isAlive(stopped)).toBe(false)
  })

  it('kills no process because of a suspension of the whole machine', async () => {
    start({ silenceMs: 400 }).apply([ok(1)])
    await online(1)
    const before = pid(1)
    process.kill(before, 'SIGSTOP')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
    process.kill(before, 'SIGCONT')
    await delay(200)
    expect(pid(1)).toBe(before)
    expect(supervisor.processes()).toMatchObject([{ falhas: 0 }])
  })

  it('isolates a camera that repeatedly crashes its process', async () => {
    start({ crashLimit: 2 }).apply([task(1, url('crash')), ok(2)])
    await online(2)
    await waitFor('the crashing camera alone', () => pid(1) > 0 && pid(2) > 0 && pid(1) !== pid(2), { everyMs: 5 })
    await online(2)
    const steady = pid(2)
    const crashed = new Set<number>()
    await waitFor('two more crashes', () => pid(1) > 0 && crashed.add(pid(1)).size >= 3, { everyMs: 5 })
    expect(pid(2)).toBe(steady)
  })

  it('gets a picture from the process that reads the camera', async () => {
    start({ camerasPerProcess: 1 }).apply([ok(1), ok(2)])
    await online(1, 2)
    const { signal } = new AbortController()
    const pictures = await Promise.all([2, 1, 3].map((id) => supervisor.picture(id, whole, signal)))
    expect(pictures.map((picture) => picture?.jpeg[0])).toEqual([2, 1, undefined])
    expect(pictures[0]).toMatchObject({ width: 640, height: 360 })
  })

  it('stops waiting for a picture when the process dies or the caller aborts', async () => {
    start().apply([task(1, url('blind'))])
    await online(1)
    const wanted = new AbortController()
    const left = supervisor.picture(1, whole, wanted.signal)
    const lost = supervisor.picture(1, whole, new AbortController().signal)
    wanted.abort()
    expect(await left).toBeNull()
    expect(await supervisor.picture(1, whole, wanted.signal)).toBeNull()
    process.kill(pid(1), 'SIGKILL')
    expect(await lost).toBeNull()
  })

  it('restarts only one camera without restarting its process', async () => {
    start().apply([ok(1), ok(2)])
    await online(1, 2)
    const before = pid(1)
    given = []
    expect(supervisor.restart(2)).toBe(true)
    expect(supervisor.restart(3)).toBe(false)
    await waitFor('the word', () => given.length > 0, { everyMs: 10 })
    expect(given).toEqual([{ cameraId: 2, ia: 'invasao', state: 'restarted' }])
    expect([pid(1), pid(2)]).toEqual([before, before])
    expect(supervisor.processes()).toEqual([{ pid: before, cameras: [1, 2], falhas: 0 }])
  })

  it('starts a process in its restart delay when one of its cameras is restarted', async () => {
    start({ backoff: { minMs: 3_600_000, maxMs: 3_600_000 } }).apply([ok(1)])
    await online(1)
    process.kill(pid(1), 'SIGKILL')
    await waitFor('its end', () => supervisor.processes()[0]?.pid === null, { everyMs: 10 })
    expect(supervisor.processes()).toEqual([{ pid: null, cameras: [1], falhas: 1 }])
    expect(supervisor.restart(1)).toBe(true)
    await online(1)
    expect(supervisor.processes()).toEqual([{ pid: pid(1), cameras: [1], falhas: 0 }])
  })

  it('leaves no process behind when it stops', async () => {
    start().apply([ok(1)])
    await online(1)
    const last = pid(1)
    await supervisor.stop()
    expect(isAlive(last)).toBe(false)
  })
})

it.each([
  ['testing/capture-child.ts', './testing/capture-child.ts'],
  ['capture/main.ts', '../capture/main.ts'],
])('a capture process ends when the main process is killed: %s', async (_, file) => {
  supervisor = start()
  const child = new URL(file, import.meta.url)
  const main = fork(new URL('./testing/supervising-process.ts', import.meta.url), [child.href], { execArgv: [] })
  let orphan = 0
  main.on('message', (message: number) => {
    orphan = message
  })
  await waitFor('the capture process', () => orphan > 0 && isAlive(orphan), { everyMs: 20 })
  main.kill('SIGKILL')
  await waitFor('the orphan to end', () => !isAlive(orphan), { everyMs: 20 })
})
