import { setTimeout as wait } from 'node:timers/promises'
import type { Api } from '@vigia/testing/api'
import { signIn } from '@vigia/testing/api'
import { startInstallation } from '@vigia/testing/installation'
import { startProgram } from '@vigia/testing/program'
import { percentile } from '@vigia/testing/stats'
import { waitFor } from '@vigia/testing/wait'

/** Load of the edge: records per batch, and picture bytes of each record (0: none). */
export interface FloodShape {
  readonly records: number
  readonly pictureBytes: number
}

export interface FloodResult {
  readonly shape: FloodShape
  /** 95th percentile of `GET /cameras` of another Empresa. */
  readonly idleMs: number
  readonly floodMs: number
  /** Records per second that the edge sends to the broker, and records per second that the cloud stores. */
  readonly sentPerS: number
  readonly storedPerS: number
}

const PASSWORD = 'senha-de-teste-0k'
const ASK_EVERY_MS = 25

/** Runs broker and cloud, and requests a list of cameras for `seconds` without a flood, then with each flood. */
export async function runFlood(shapes: readonly FloodShape[], seconds: number): Promise<FloodResult[]> {
  const installation = await startInstallation(
    { VIGIA_LOG_LEVEL: 'warn' },
    { programs: { cloud: { entry: 'apps/cloud/src/test/unverifying-cloud.ts' } } },
  )
  try {
    await installation.programs.edge.stop()
    const operator = await installation.signIn()
    const other = await account(operator, installation.base, 'Vizinha')
    for (let i = 1; i <= 20; i += 1)
      await other.call('POST', '/cameras', { nome: `Câmera ${i}`, rtsp_url: `rtsp://192.0.2.1/${i}` })
    const hostile = await account(operator, installation.base, 'Hostil')
    await p95(other, 1)
    const idleMs = await p95(other, seconds)
    const results: FloodResult[] = []
    for (const [i, shape] of shapes.entries()) {
      const edge = await hostile.call<{ id: number; codigo: string }>('POST', '/edges', { nome: `Caixa ${i}` })
      const camera = await hostile.call<{ id: number }>('POST', '/cameras', {
        nome: `Câmera ${i}`,
        rtsp_url: 'rtsp://192.0.2.1/1',
        edge_id: edge.id,
      })
      const args = [installation.base, edge.codigo, camera.id, shape.records, shape.pictureBytes].map(String)
      const flood = await startProgram({ entry: 'apps/edge/src/testing/flooding-edge.ts', args })
      const stored = () => hostile.get<{ total: number }>(`/metrics?camera_id=${camera.id}`).then(({ total }) => total)
      await waitFor('the first records of the flood', async () => (await stored()) > 0)
      const before = { stored: await stored(), sent: sentOf(flood.output()) }
      const floodMs = await p95(other, seconds)
      const after = { stored: await stored(), sent: sentOf(flood.output()) }
      await flood.stop()
      // Deleting the edge drops its queued records before the next measurement.
      await hostile.call('DELETE', `/edges/${edge.id}`)
      await waitFor('the queue to be empty', async () => {
        const first = await stored()
        await wait(2_000)
        return (await stored()) === first
      })
      results.push({
        shape,
        idleMs,
        floodMs,
        sentPerS: ((after.sent - before.sent) * shape.records) / seconds,
        storedPerS: (after.stored - before.stored) / seconds,
      })
    }
    return results
  } finally {
    await installation.close()
  }
}

async function account(operator: Api, base: string, nome: string): Promise<Api> {
  const { id } = await operator.call<{ id: number }>('POST', '/empresas', { nome })
  await operator.call('PATCH', `/empresas/${id}`, { limite_cameras: 100 })
  const login = { username: nome, senha: PASSWORD, papel: 'administrador', empresa_id: id }
  await operator.call('POST', '/usuarios', login)
  return signIn(base, nome, PASSWORD)
}

/** Sends one request at a time at a fixed rate. */
async function p95(api: Api, seconds: number): Promise<number> {
  const tookMs: number[] = []
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const begun = performance.now()
    await api.get('/cameras')
    tookMs.push(performance.now() - begun)
    await wait(ASK_EVERY_MS)
  }
  return percentile(tookMs, 0.95)
}

const sentOf = (output: string): number => Number(/.*"sent":(\d+)/s.exec(output)?.[1] ?? 0)
