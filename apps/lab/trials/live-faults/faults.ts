import { setTimeout as delay } from 'node:timers/promises'
import type { Api } from '@vigia/testing/api'
import { memory } from '../load/processes.ts'
import type { Scene } from './scene.ts'

/** A fault, and what must hold during and after it. Resolves with its figures; rejects if it does not hold. */
interface Fault {
  readonly name: string
  run(scene: Scene): Promise<string>
}

/** More than a segment: a new viewer first gets the newest one of the cloud, which may be old. */
const PARTS = 16
/** Parts after a fault: the system may still have held some of its connections. */
const FURTHER_PARTS = 12
const AGAIN_MS = 60_000
const NARROW_KBPS = 300
const NARROW_MS = 20_000
/** Maximum memory that a program may gain during a fault. */
const MOST_GAIN_MB = 40
/** Rights end a running picture within this time. */
const RIGHTS_MS = 3_000
const VIEWERS = 50

/** Opens the stream until it plays; it may be refused while programs start. Returns the time until then, ms. */
async function plays(scene: Scene, withinMs = 60_000): Promise<number> {
  const begun = performance.now()
  for (;;) {
    const viewer = scene.view()
    const isPlaying = viewer.until(PARTS).then(() => true)
    const outcome = await Promise.race([isPlaying, viewer.closed.then(() => false)]).catch(() => false)
    viewer.close()
    await viewer.closed
    const ms = performance.now() - begun
    if (outcome) return Math.round(ms)
    if (ms > withinMs) throw new Error(`no video within ${withinMs} ms: ${JSON.stringify(viewer.texts.at(-1))}`)
    await delay(500)
  }
}

/** Runs `fault` while a viewer watches. Returns the time until the same viewer gets parts again, ms. */
async function survives(scene: Scene, fault: () => Promise<unknown>): Promise<number> {
  const viewer = scene.view()
  await viewer.until(PARTS)
  const count = () => viewer.parts.length
  await fault()
  const begun = performance.now()
  let seen = count()
  while (count() < seen + FURTHER_PARTS && performance.now() - begun < AGAIN_MS) {
    // A new header restarts the count.
    seen = Math.min(seen, count())
    await delay(50)
  }
  const isAlive = count() >= seen + FURTHER_PARTS
  const last = JSON.stringify(viewer.texts.at(-1))
  viewer.close()
  if (!isAlive) throw new Error(`the viewer got no further parts: ${last}`)
  return Math.round(performance.now() - begun)
}

/** Withdraws the right of a viewer. Returns how soon the picture ended. */
async function ends(scene: Scene, { token }: Api, withdraw: () => Promise<unknown>): Promise<string> {
  const viewer = scene.view(token)
  await viewer.until(PARTS)
  const begun = performance.now()
  await withdraw()
  await viewer.closed
  const ms = Math.round(performance.now() - begun)
  const motivo = viewer.texts.at(-1)?.motivo
  if (ms > RIGHTS_MS || motivo !== 'sessao') throw new Error(`closed after ${ms} ms: ${String(motivo)}`)
  return `closed after ${ms} ms`
}

/** @param frozenMs how long the frozen viewer reads nothing */
export const createFaults = (frozenMs: number): readonly Fault[] => [
  {
    name: 'first viewer',
    run: async (scene) => `plays after ${await plays(scene)} ms`,
  },
  {
    name: 'connections of the uplink cut',
    run: async (scene) => `plays again after ${await survives(scene, async () => scene.line.cut())} ms`,
  },
  {
    name: 'recorder killed and restarted',
    async run(scene) {
      const again = await survives(scene, async () => {
        await scene.recorder.kill()
        await scene.recorder.start()
      })
      return `the same viewer plays again after ${again} ms`
    },
  },
  {
    name: `uplink of ${NARROW_KBPS} kbit/s`,
    async run(scene) {
      const { pid } = scene.vigia.programs.edge
      const before = memory(pid).own
      const again = await survives(scene, async () => {
        scene.line.kbps = NARROW_KBPS
        await delay(NARROW_MS)
        scene.line.kbps = 0
      })
      const gainMb = Math.round((memory(pid).own - before) / 1e6)
      if (gainMb > MOST_GAIN_MB) throw new Error(`the edge gained ${gainMb} MB`)
      return `the edge gained ${gainMb} MB; plays again ${again} ms after its end`
    },
  },
  {
    name: 'session ended',
    async run(scene) {
      const api = await scene.vigia.signIn()
      return ends(scene, api, () => api.fetch('/auth/logout'))
    },
  },
  {
    name: 'role changed',
    async run(scene) {
      const { id, api } = await scene.login('rui')
      return ends(scene, api, () => scene.api.call('PATCH', `/usuarios/${id}`, { papel: 'vigilante' }))
    },
  },
  {
    name: 'login disabled',
    async run(scene) {
      const { id, api } = await scene.login('ana')
      return ends(scene, api, () => scene.api.call('PATCH', `/usuarios/${id}`, { ativo: false }))
    },
  },
  {
    name: `viewer frozen for ${frozenMs / 1000} s`,
    async run(scene) {
      const { pid } = scene.vigia.programs.cloud
      const viewer = scene.view()
      await viewer.until(PARTS)
      const before = memory(pid).own
      const frozen = await scene.freeze()
      await delay(frozenMs)
      const gainMb = Math.round((memory(pid).own - before) / 1e6)
      frozen.destroy()
      viewer.close()
      await scene.renew()
      await plays(scene)
      if (gainMb > MOST_GAIN_MB) throw new Error(`the cloud gained ${gainMb} MB`)
      return `the cloud gained ${gainMb} MB; a viewer plays`
    },
  },
  {
    name: `${VIEWERS} viewers come and go`,
    async run(scene) {
      const viewers = Array.from({ length: VIEWERS }, () => scene.view())
      await Promise.all(viewers.map((viewer) => viewer.until(1)))
      const { conexoes } = await scene.recorder.counts()
      for (const viewer of viewers) viewer.close()
      await Promise.all(viewers.map(({ closed }) => closed))
      if (conexoes > 2) throw new Error(`${conexoes} connections of the recorder`)
      return `${conexoes} connections of the recorder`
    },
  },
  {
    name: 'edge killed and restarted',
    async run(scene) {
      const viewer = scene.view()
      await viewer.until(PARTS)
      await scene.vigia.programs.edge.kill()
      await scene.vigia.start('edge')
      const again = await plays(scene, 90_000)
      viewer.close()
      return `plays ${again} ms after its start`
    },
  },
  {
    name: 'cloud killed and restarted',
    async run(scene) {
      const viewer = scene.view()
      await viewer.until(PARTS)
      await scene.vigia.programs.cloud.kill()
      await scene.vigia.start('cloud')
      await viewer.closed
      return `plays ${await plays(scene, 90_000)} ms after its start`
    },
  },
  {
    name: 'cloud killed, nobody watches again',
    async run(scene) {
      const viewer = scene.view()
      await viewer.until(PARTS)
      await scene.vigia.programs.cloud.kill()
      const begun = performance.now()
      await scene.idle()
      const ms = Math.round(performance.now() - begun)
      await scene.vigia.start('cloud')
      return `the edge closed the stream after ${ms} ms`
    },
  },
]
