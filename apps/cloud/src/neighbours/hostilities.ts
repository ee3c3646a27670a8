import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { ia, nomesIas } from '@vigia/contracts/ias'
import type { TlsIdentity } from '@vigia/link/session'
import { clientOf, form, send } from '../test/client.ts'
import { batch, candidate, gap } from '../test/records.ts'
import { linkOf } from './stage.ts'

/** Context of the hostile program: the installation, its edge, and a session of its administrador. */
export interface HostileContext {
  readonly url: string
  readonly mqttPort: number
  readonly token: string
  readonly edgeId: number
  readonly cameraIds: readonly number[]
  readonly identity: TlsIdentity
}

/** Attacks of one Empresa, or of an unknown client, on an installation until `signal` aborts. */
interface Hostility {
  readonly name: string
  run(context: HostileContext, signal: AbortSignal): Promise<void>
}

const SENT_AT_ONCE = 8

/** Publishes batches of `make`, several in parallel, until the end. */
async function publishAll(
  context: HostileContext,
  signal: AbortSignal,
  make: () => Buffer,
  most = Number.MAX_SAFE_INTEGER,
) {
  const link = linkOf(context, context.mqttPort)
  link.start()
  let left = most
  const worker = async () => {
    while (!signal.aborted && left > 0) {
      left -= 1
      await link.publishBatch(make()).catch(() => delay(100))
    }
  }
  await Promise.all(Array.from({ length: SENT_AT_ONCE }, worker))
  await link.stop()
}

const record = (cameraId: number, at: number) =>
  candidate(cameraId, at, { change: { ocorrido_em: Date.now(), confianca: 0.9 } })

const PER_BATCH = 30
/** 3,000 eventos in batches, in order, like an edge with a backlog. */
const eventFlood: Hostility = {
  name: '3,000 events of one edge',
  run: (context, signal) => {
    let seq = 0
    const next = () => {
      seq += 1
      return record(context.cameraIds[0] ?? 0, seq)
    }
    return publishAll(context, signal, () => batch(Array.from({ length: PER_BATCH }, next)), 3_000 / PER_BATCH)
  },
}

/** Live records that announce millions of outstanding records, so that the cloud would reserve ids for them. */
const idReservation: Hostility = {
  name: 'sequence numbers with holes of a million',
  run: (context, signal) => {
    let seq = 1
    return publishAll(context, signal, () => {
      seq += 1_000_000
      return batch([{ ...record(context.cameraIds[1] ?? 0, seq), base: 1, desde: seq }])
    })
  },
}

/** Gap records of every second number, each stored as a row. */
const gapFlood: Hostility = {
  name: 'gap records without end',
  run: (context, signal) => {
    let seq = 0
    const next = () => {
      seq += 2
      return gap(context.cameraIds[2] ?? 0, seq, seq)
    }
    return publishAll(context, signal, () => batch(Array.from({ length: 200 }, next)))
  },
}

/** Requests of the hostile administrador, several in parallel. */
async function askAll(signal: AbortSignal, atOnce: number, ask: () => Promise<unknown>) {
  const worker = async () => {
    while (!signal.aborted) await ask().catch(() => delay(100))
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

const deepPages: Hostility = {
  name: '20 readers at offset 9,999',
  run: (context, signal) =>
    askAll(signal, 20, () => clientOf(context.url, context.token).send('GET', '/api/v1/events?limit=200&offset=9999')),
}

const RICH = {
  zonas: Array.from({ length: 16 }, (_, index) =>
    Array.from({ length: 32 }, (_, point) => {
      const angle = (point / 32) * 2 * Math.PI
      return [0.5 + 0.4 * Math.cos(angle + index / 100), 0.5 + 0.4 * Math.sin(angle + index / 100)]
    }).flat(),
  ),
  eventos_habilitados: nomesIas.filter((nome) => ia(nome).modelo === 'objetos'),
}
const richCameras: Hostility = {
  name: 'cameras with the largest configuration',
  run: (context, signal) =>
    askAll(signal, 2, async () => {
      const admin = clientOf(context.url, context.token)
      const made = await admin.send<{ id?: number }>('POST', '/api/v1/cameras', {
        nome: randomUUID(),
        rtsp_url: 'rtsp://127.0.0.1:9/1',
      })
      const id = made.body.id ?? context.cameraIds[3]
      await admin.send('PATCH', `/api/v1/cameras/${id}`, RICH)
    }),
}

const wrongPasswords: Hostility = {
  name: '20 clients with wrong passwords',
  run: (context, signal) =>
    askAll(signal, 20, () =>
      send(`${context.url}/api/v1/auth/token`, form({ username: randomUUID(), password: 'errada-e-longa' })),
    ),
}

const manyStreams: Hostility = {
  name: 'every alert stream that is allowed, and 20 readers of metrics',
  async run(context, signal) {
    const headers = { authorization: `Bearer ${context.token}` }
    for (let stream = 0; stream < 32; stream += 1)
      fetch(`${context.url}/api/v1/sse/alertas?todos=true`, { headers, signal }).catch(() => {})
    await askAll(signal, 20, () => clientOf(context.url, context.token).send('GET', '/api/v1/metrics'))
  },
}

const HALF_OPEN = 1_500
const halfOpen: Hostility = {
  name: '1,500 half-open connections at the broker',
  async run({ mqttPort }, signal) {
    const open = new Set<Socket>()
    const begin = (index: number) => {
      if (signal.aborted) return
      const localAddress = `127.0.${1 + (index % 5)}.${1 + (index % 50)}`
      const socket = connect({ host: '127.0.0.1', port: mqttPort, localAddress })
      open.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        open.delete(socket)
        setTimeout(begin, 500, index).unref()
      })
    }
    for (let index = 0; index < HALF_OPEN; index += 1) begin(index)
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    for (const socket of open) socket.destroy()
  },
}

export const hostilities: readonly Hostility[] = [
  eventFlood,
  idReservation,
  gapFlood,
  deepPages,
  richCameras,
  wrongPasswords,
  manyStreams,
  halfOpen,
]
