import type { StreamStatus } from '../../capture/model.ts'
import { BEAT_MS, type FromCapture, type ToCapture } from '../../capture/protocol.ts'

/**
 * A capture process without a reader. The address of a camera selects its behaviour: `ok` is online, `crash` kills the
 * process a moment later, `hang` blocks it. `grow` takes memory, and `large` reports large pictures. For tests of the
 * supervisor. `ffmpeg` reports that FFmpeg's client reads it.
 */

const cameras = new Map<number, string>()
const held: Buffer[] = []
const clients = new Map<number, string>()
const send = (message: FromCapture) => process.send?.(message, undefined, {}, () => {})

const status = (cameraId: number): StreamStatus => ({
  cameraId,
  online: true,
  failure: null,
  // Returns the received message, so that a test can check it.
  detail: clients.get(cameraId) ?? null,
  lastFrameAgeMs: 0,
  codec: 'h264',
  resolution: '640x360',
  fps: 10,
  keyframeIntervalMs: null,
  keyframeAgeMs: null,
  bitrateKbps: null,
  memoryBytes: cameras.get(cameraId)?.endsWith('large') ? 100_000_000 : 1_000_000,
  reading: true,
})
const beat = () => send({ kind: 'beat', streams: [...cameras.keys()].map(status), models: [] })
setInterval(beat, BEAT_MS / 10)
beat()

function behave(cameraId: number, url: string) {
  if (url.endsWith('crash')) setTimeout(() => process.kill(process.pid, 'SIGSEGV'), 50)
  if (url.endsWith('grow')) held.push(Buffer.alloc(200 * 1024 * 1024, 1))
  if (url.endsWith('ffmpeg'))
    send({ kind: 'keptClient', cameraId, kept: { url, client: 'ffmpeg' }, failure: 'sem_resposta' })
  if (url.endsWith('hang')) setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 50)
}

process.on('disconnect', () => process.exit())
process.on('message', (message: ToCapture) => {
  if (message.kind === 'stop') process.exit()
  if (message.kind === 'remove') cameras.delete(message.cameraId)
  // Returns the received command, so that a test can check it.
  if (message.kind === 'restart')
    send({ kind: 'states', states: [{ cameraId: message.cameraId, ia: 'invasao', state: 'restarted' }] })
  // A picture whose single byte is the camera's number; a camera at `blind` never answers.
  if (message.kind === 'picture' && !cameras.get(message.cameraId)?.endsWith('blind')) {
    const picture = { jpeg: Buffer.of(message.cameraId), width: 640, height: 360 }
    send({ kind: 'picture', ticket: message.ticket, picture })
  }
  if (message.kind !== 'camera') return
  const { task, states } = message
  cameras.set(task.id, task.fontes.rtsp_url)
  clients.set(
    task.id,
    [message.rtspClient, ...message.keptClients.map(({ url, client }) => `${client} ${url}`)].join(' '),
  )
  // Returns the received message, so that a test can check it.
  send({ kind: 'states', states: [{ cameraId: task.id, ia: 'invasao', state: states.invasao ?? null }] })
  beat()
  behave(task.id, task.fontes.rtsp_url)
})
