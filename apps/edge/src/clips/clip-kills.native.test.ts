import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Clipe, SemClipe } from '@vigia/contracts/extras'
import { type CloudStandIn, startCloudStandIn } from '@vigia/testing/cloud-stand-in'
import { type Program, startProgram } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CountControl } from '../testing/counted-source.ts'

const KILLS = 5
let cloud: CloudStandIn
let edge: Program

const controlFile = () => join(cloud.dir, 'controle.json')
function control(rate: number) {
  const wanted: CountControl = { rate, together: 2, upTo: 1e6, pictureBytes: 500, clipBytes: 20_000, clockMs: 0 }
  writeFileSync(controlFile(), JSON.stringify(wanted))
}

const startEdge = () =>
  startProgram({
    entry: 'apps/edge/src/testing/counting-edge.ts',
    args: [controlFile()],
    env: {
      VIGIA_DATA_DIR: cloud.dir,
      VIGIA_CLOUD_URL: cloud.url,
      VIGIA_ATIVACAO_ARQUIVO: join(cloud.dir, 'codigo'),
      VIGIA_LOG_LEVEL: 'warn',
      // A few clips fit, so that the quota drops the others.
      VIGIA_CLIPES_MAX_MB: '1',
    },
  })

beforeAll(async () => {
  cloud = await startCloudStandIn()
  control(0)
  cloud.codes.add('codigo')
  await writeFile(join(cloud.dir, 'codigo'), 'codigo\n')
  edge = await startEdge()
  await waitFor('the activation', () => cloud.reports.length > 0)
  const cameras = [1, 2].map((id) => ({ id, rtsp_url: 'rtsp://127.0.0.1:9/' }))
  await cloud.configure(1, cameras, ['clipe', 'sem_clipe'])
})

afterAll(async () => {
  await edge.stop()
  await cloud.close()
})

it('gives each event a clip or a reason, however often the edge is killed', async () => {
  control(20)
  for (let kill = 0; kill < KILLS; kill++) {
    const before = cloud.arrived.length
    await waitFor('further events', () => cloud.arrived.length > before)
    await delay(kill * 90)
    await edge.kill()
    edge = await startEdge()
  }
  const reports = cloud.reports.length
  await waitFor('the link', () => cloud.reports.length > reports)
  // A quick machine makes few clips between the kills.
  const isFull = () => cloud.extras.some(({ extra }) => extra.tipo === 'sem_clipe' && extra.motivo === 'disco_cheio')
  await waitFor('the quota to drop clips', isFull)
  control(0)
  const events = () => cloud.arrived.flatMap(({ registro }) => (registro.tipo === 'candidato' ? [registro.id] : []))
  /** The latest word on each event. */
  const held = () => {
    const known = new Map<string, Clipe | SemClipe>()
    for (const { extra } of cloud.extras) {
      if (extra.tipo === 'clipe') for (const { evento } of extra.eventos) known.set(evento, extra)
      if (extra.tipo === 'sem_clipe') known.set(extra.evento, extra)
    }
    return known
  }
  const isSettled = () => {
    const known = held()
    return cloud.reports.at(-1)?.fila === 0 && events().every((id) => known.has(id))
  }
  await waitFor('every event to be settled', isSettled)
  const last = [...held().values()]
  const reasons = new Set(last.flatMap((extra) => (extra.tipo === 'sem_clipe' ? [extra.motivo] : [])))
  expect([...reasons].toSorted()).toEqual(['caixa_reiniciada', 'disco_cheio', 'sem_quadros'])
  // The files on the disk are those of the clips that were announced and not withdrawn.
  const folder = join(cloud.dir, 'edge', 'clipes')
  const kept = last.filter((extra) => extra.tipo === 'clipe')
  const clips = new Map(kept.map(({ id, sha256 }): [string, string] => [`${id}.mp4`, sha256]))
  const files = readdirSync(folder).map((name): [string, string] => [
    name,
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  ])
  expect(files.toSorted()).toEqual([...clips].toSorted())
  expect(clips.size).toBeGreaterThan(10)
})
