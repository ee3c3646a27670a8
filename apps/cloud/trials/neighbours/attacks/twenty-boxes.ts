import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { batch, FRAME } from '../../../src/test/records/records.ts'
import { activateEdge } from '../../../src/test/stand-ins/activated-edge.ts'
import { type Attack, type AttackContext, repeat } from '../attack.ts'
import { linkOf, type Tenant } from '../stage.ts'
import { hostileEvent } from './hostile-event.ts'

const BOXES = 20
const PER_BATCH = 30
const AT_ONCE = 8
const FRAMES_EVERY_MS = 50

type Box = Pick<Tenant, 'edgeId' | 'identity'> & { readonly cameraId: number }
const fileOf = (dataDir: string) => join(dataDir, 'twenty-boxes.json')

/** Sends batches and live pictures as fast as the broker reads them. */
function flood({ edgeId, identity, cameraId }: Box, { mqttPort }: AttackContext) {
  let seq = 0
  const next = () => {
    seq += 1
    return hostileEvent(cameraId, seq)
  }
  const link = linkOf({ edgeId, identity }, mqttPort)
  link.start()
  const quadro = { v: 1, camera_id: cameraId, largura: 640, altura: 360 } as const
  const frames = setInterval(() => link.publishLiveFrame(quadro, FRAME), FRAMES_EVERY_MS)
  const running = repeat(AT_ONCE, () => link.publishBatch(batch(Array.from({ length: PER_BATCH }, next))))
  return {
    stop: async () => {
      clearInterval(frames)
      await running.stop()
      await link.stop()
    },
  }
}

/** Many boxes of one Empresa, each within the rates of a box. */
export const twentyBoxes: Attack = {
  name: '20 boxes of one Empresa',
  async prepare({ url, dataDir, hostile: { admin } }) {
    const boxes: Box[] = []
    for (let number = 1; number <= BOXES; number += 1) {
      const { id: edgeId, identity } = await activateEdge(admin, url, `Caixa hostil ${number}`)
      const camera = { nome: `Hostil ${number}`, rtsp_url: `rtsp://127.0.0.1:9/h${number}`, edge_id: edgeId }
      const { id: cameraId } = await admin.expect<{ id: number }>(201, 'POST', '/api/v1/cameras', camera)
      boxes.push({ edgeId, identity, cameraId })
    }
    await writeFile(fileOf(dataDir), JSON.stringify(boxes), { mode: 0o600 })
  },
  async start(context) {
    const boxes = JSON.parse(await readFile(fileOf(context.dataDir), 'utf8')) as Box[]
    const running = boxes.map((box) => flood(box, context))
    return { stop: async () => void (await Promise.all(running.map((each) => each.stop()))) }
  },
}
