import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import type { Camera } from '@vigia/contracts/cameras'
import { type Api, signIn } from '@vigia/testing/api'
import { type Installation, startInstallation } from '@vigia/testing/installation'
import { type LiveViewer, openLiveViewer } from '@vigia/testing/live-viewer'
import { type NarrowLine, startNarrowLine } from '@vigia/testing/narrow-line'
import { type RecorderProcess, startRecorder } from '@vigia/testing/simulator'
import { waitFor } from '@vigia/testing/wait'
import { childrenOf, memory } from '../load/processes.ts'

/** One camera of a simulated recorder, its edge behind a narrow line, and the cloud. */
export interface Scene {
  readonly vigia: Installation
  readonly recorder: RecorderProcess
  readonly line: NarrowLine
  readonly api: Api
  /** Signs in again: a session lasts an hour. */
  renew(): Promise<void>
  /** Opens the live video of the camera: its main stream, which has a connection of its own. */
  view(token?: string): LiveViewer
  /** A viewer that stops reading after its first bytes, like the page of a frozen browser. */
  freeze(): Promise<Socket>
  /** Creates a login that may watch the camera. */
  login(username: string): Promise<{ readonly id: number; readonly api: Api }>
  /** Waits until the recorder serves only the analysed stream. */
  idle(): Promise<void>
  resources(): Promise<Resources>
  /** The resources once no stream is open, and the names of those beyond `before`. */
  leaks(before: Resources): Promise<{ readonly after: Resources; readonly beyond: readonly string[] }>
  close(): Promise<void>
}

/** Held by the edge with its processes, and by the cloud. */
export interface Resources {
  readonly processes: number
  readonly edgeSockets: number
  readonly cloudSockets: number
  readonly files: number
  /** Private memory of the edge's main process, in MB. */
  readonly memoryMb: number
}

const PASSWORD = 'frase-de-quem-assiste'
/** The edge ends a stream 30 s after its last order; the cloud orders for 30 s after the last viewer. */
const END_MS = 75_000
/** Sockets of keep-alive connections come and go. */
const MOST_MORE: Resources = { processes: 0, edgeSockets: 2, cloudSockets: 4, files: 4, memoryMb: 60 }
export const resourceNames = Object.keys(MOST_MORE) as (keyof Resources)[]

export async function startScene(): Promise<Scene> {
  const recorder = await startRecorder()
  let line: NarrowLine | null = null
  const vigia = await startInstallation(
    {},
    {
      async uplink(port) {
        line = await startNarrowLine(port)
        return line.port
      },
    },
  )
  let api = await vigia.signIn()
  const { id: empresa_id } = await api.call<{ id: number }>('POST', '/empresas', { nome: 'Empresa' })
  const camera = await api.call<Camera>('POST', '/cameras', {
    nome: 'Portão',
    empresa_id,
    rtsp_url: recorder.url(1),
    sub_rtsp_url: recorder.url(1, 'sub'),
  })
  const isOnline = async () => (await api.get<Camera>(`/cameras/${camera.id}`)).status === 'online'
  await waitFor('the camera', isOnline, { timeoutMs: 60_000 })

  const idle = () =>
    waitFor('the end of the live stream', async () => (await recorder.counts()).conexoes === 1, {
      timeoutMs: END_MS,
      everyMs: 500,
    }).then(() => {})

  async function resources(): Promise<Resources> {
    const [edge, cloud] = [vigia.programs.edge.pid, vigia.programs.cloud.pid]
    const edges = [edge, ...childrenOf(edge)]
    return {
      processes: edges.length,
      edgeSockets: edges.reduce((sum, pid) => sum + descriptors(pid).sockets, 0),
      cloudSockets: descriptors(cloud).sockets,
      files: [...edges, cloud].reduce((sum, pid) => sum + descriptors(pid).files, 0),
      memoryMb: Math.round(memory(edge).own / 1e6),
    }
  }

  return {
    vigia,
    recorder,
    idle,
    resources,
    get api() {
      return api
    },
    async renew() {
      api = await vigia.signIn()
    },
    line: line as unknown as NarrowLine,
    view: (token = api.token) => openLiveViewer(vigia.base, token, camera.id, '?fluxo=principal'),
    async freeze() {
      const { hostname, port, host } = new URL(vigia.base)
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      const lines = [
        `GET /api/v1/cameras/${camera.id}/transmissao?fluxo=principal HTTP/1.1`,
        `Host: ${host}`,
        `Authorization: Bearer ${api.token}`,
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      ]
      socket.write(`${lines.join('\r\n')}\r\n\r\n`)
      await once(socket, 'data')
      socket.pause()
      return socket
    },
    async login(username) {
      const login = { username, senha: PASSWORD, papel: 'usuario', empresa_id }
      const { id } = await api.call<{ id: number }>('POST', '/usuarios', login)
      return { id, api: await signIn(vigia.base, username, PASSWORD) }
    },
    async leaks(before) {
      await idle()
      let after = await resources()
      const beyond = () => resourceNames.filter((name) => after[name] > before[name] + MOST_MORE[name])
      // Closed connections leave within some seconds.
      await waitFor('the end of the connections', async () => {
        after = await resources()
        return beyond().length === 0
      }).catch(() => {})
      return { after, beyond: beyond() }
    },
    async close() {
      await vigia.close()
      await recorder.close()
      await line?.close()
    },
  }
}

function descriptors(pid: number): { readonly sockets: number; readonly files: number } {
  const names = readdirSync(`/proc/${pid}/fd`).map((fd) => targetOf(`/proc/${pid}/fd/${fd}`))
  return {
    sockets: names.filter((name) => name.startsWith('socket:')).length,
    files: names.filter((name) => name.startsWith('/')).length,
  }
}

/** Empty: closed in the meantime. */
function targetOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
