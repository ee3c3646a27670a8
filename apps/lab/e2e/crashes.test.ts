import { readdirSync, readFileSync } from 'node:fs'
import type { Camera } from '@vigia/contracts/cameras'
import type { Evento } from '@vigia/contracts/eventos'
import { openAlertStream } from '@vigia/testing/alert-stream'
import { startInstallation } from '@vigia/testing/installation'
import { startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { describe, expect, it } from 'vitest'
import { alertedPersonSeenAt } from './alerted-person-store.ts'

/**
 * A part of the lawn of the footage's first channel. Only one man in the clip walks through it: from the right at
 * 12.6 s to the left border at 14.9 s. So every round of the clip has one visit and must cause one event, regardless
 * of crashes. Nobody else comes near him there, so that few frames suffice to follow him.
 */
const LAWN = [[0.52, 0.86, 1, 0.86, 1, 1, 0.52, 1]]
const ROUND_MS = 26_000
/** Keyframe of the clip at which he is on the lawn. */
const STOP_S = 14
/** After this time of a visit he is out of the picture, and not yet in it again. */
const AWAY_MS = 18_000
/** In this time after the stop his candidate reaches the cloud, even on a slow machine. */
const CANDIDATE_MS = 40_000
/** Number of rounds in which the scene is stopped until he is seen walking. */
const ATTEMPTS = 3

/** One installation with one camera on that lawn. Closed by `await using`. */
async function startWatch() {
  const recorder = await startRecorder()
  const vigia = await startInstallation()
  let api = await vigia.signIn()
  const stream = await openAlertStream(api, { todos: true })
  const empresa = await api.call<{ id: number }>('POST', '/empresas', { nome: 'Empresa de teste' })
  const camera = await api.call<Camera>('POST', '/cameras', {
    nome: 'Gramado',
    empresa_id: empresa.id,
    rtsp_url: recorder.url(1),
  })
  // This cooldown is shorter than any restart, so that only the stored alerted tracks prevent a second event.
  const config_ia = { invasao: { resfriamento_s: 1 } }
  await api.call('PATCH', `/cameras/${camera.id}`, { zonas: LAWN, config_ia })
  const events = () => api.get<Evento[]>(`/events?camera_id=${camera.id}&limit=200`)
  const seenAfter = (time: number) =>
    waitFor('the man to be seen', () => (alertedPersonSeenAt(vigia.edgeDir, camera.id) ?? 0) > time, {
      timeoutMs: 60_000,
    })
  return {
    vigia,
    events,
    async signInAgain() {
      api = await vigia.signIn()
    },
    /**
     * Stops the scene with the man on the lawn, so that a slow restart does not miss his way. Resolves with the first
     * candidate of this visit that reaches the cloud, verified or not. A camera is online before its first analysis. A
     * slow machine may therefore first see him when he already stands, and he is not reported before he moves. Then the
     * scene stops again in a later round.
     */
    async eventOfStandingMan(): Promise<Evento> {
      await this.online()
      for (let attempt = 1; ; attempt++) {
        const stoppedAt = await recorder.pause(1, STOP_S)
        const isOfNow = (evento: Evento) => Date.parse(evento.ocorrido_em) > stoppedAt - AWAY_MS / 2
        const seen = () => [...stream.eventos, ...stream.alertas].find(isOfNow)
        const isNeverComing = () => attempt < ATTEMPTS && Date.now() - stoppedAt > CANDIDATE_MS
        await waitFor('the first candidate', () => seen() !== undefined || isNeverComing(), {
          timeoutMs: 90_000,
          everyMs: 20,
        })
        const first = seen()
        if (first) {
          // The stored position is then the one at which he stands.
          await seenAfter(stoppedAt + 500)
          return first
        }
        // The edge has taken him for something that never moves. It has forgotten that after another round.
        recorder.resume(1)
        const resumedAt = Date.now()
        await waitFor('another round', () => Date.now() - resumedAt > ROUND_MS)
      }
    },
    /** Waits until the restarted process sees the man again, and lets him walk on. Returns that time, epoch ms. */
    async walkOn(restartedAt: number): Promise<number> {
      await seenAfter(restartedAt)
      recorder.resume(1)
      return Date.now()
    },
    online: () =>
      waitFor('the camera to be online', async () => {
        const now = await api.get<Camera>(`/cameras/${camera.id}`)
        return now.status === 'online' && Date.now() - Date.parse(now.ultimo_frame_em ?? '') < 5000
      }),
    /**
     * Waits for the event of a later visit: by then all events of this round have arrived. Expects one event of this
     * round, with its verdict. A slow machine may miss the next visit, which is short. The edge also keeps a person who
     * stood for up to 30 s, and then takes the next visit for his return. So the scene stops in the round after it.
     * @param walksSince time at which he was on the lawn and walked, epoch ms
     */
    async settled(first: Evento, walksSince = Date.parse(first.ocorrido_em)): Promise<void> {
      const sinceWalk = (evento: Evento) => Date.parse(evento.ocorrido_em) - walksSince
      const isLater = (evento: Evento) => sinceWalk(evento) > AWAY_MS && evento.veredito !== null
      const hasLater = async () => (await events()).some(isLater)
      const isRoundOver = () => Date.now() - walksSince > AWAY_MS + ROUND_MS
      await waitFor('the next round', async () => (await hasLater()) || isRoundOver())
      if (!(await hasLater())) await recorder.pause(1, STOP_S)
      await waitFor('the event of a later visit', hasLater)
      const isOfRound = (evento: Evento) => evento.ocorrido_em >= first.ocorrido_em && sinceWalk(evento) < AWAY_MS
      const round = (await events()).filter(isOfRound)
      expect(round.map((evento) => [evento.id, evento.veredito?.decisao])).toEqual([[first.id, 'confirmado']])
      await waitFor('an empty outbox', async () => {
        const [edge] = await api.get<{ fila: number | null }[]>('/edges')
        return edge?.fila === 0
      })
    },
    async [Symbol.asyncDispose]() {
      stream.close()
      await vigia.close()
      await recorder.close()
    },
  }
}

describe('kill -9 during an event', () => {
  it('of the capture process: it restarts and the visit causes one event', async () => {
    await using watch = await startWatch()
    const first = await watch.eventOfStandingMan()
    for (const pid of childrenOf(watch.vigia.programs.edge.pid)) process.kill(pid, 'SIGKILL')
    const walksSince = await watch.walkOn(Date.now())
    await watch.settled(first, walksSince)
  })

  it('of the edge: it restarts and the visit causes one event', async () => {
    await using watch = await startWatch()
    const first = await watch.eventOfStandingMan()
    await watch.vigia.programs.edge.kill()
    const killedAt = Date.now()
    await watch.vigia.start('edge')
    const walksSince = await watch.walkOn(killedAt)
    await watch.settled(first, walksSince)
  })

  it('of the cloud: the event waits on the edge and arrives once', async () => {
    await using watch = await startWatch()
    await watch.online()
    await watch.vigia.programs.cloud.kill()
    const kept = () => watch.vigia.programs.edge.output().includes('"msg":"event kept"')
    await waitFor('a candidate in the outbox', kept)
    await watch.vigia.start('cloud')
    await watch.signInAgain()
    const alert = await waitFor('the verified event', async () =>
      (await watch.events()).find((evento) => evento.veredito !== null),
    )
    await watch.settled(alert)
  })
})

/** Process ids whose parent is `pid`. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => {
      try {
        const stat = readFileSync(`/proc/${candidate}/stat`, 'utf8')
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid
      } catch {
        return false // the process ended after it was listed
      }
    })
}
