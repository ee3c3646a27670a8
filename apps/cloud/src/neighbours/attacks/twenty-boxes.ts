import { activateEdge } from '../../test/activated-edge.ts'
import { clientOf } from '../../test/client.ts'
import { batch, FRAME } from '../../test/records.ts'
import { type Attack, type AttackContext, type RunningAttack, repeat } from '../attack.ts'
import { linkOf } from '../stage.ts'
import { hostileEvent } from './hostile-event.ts'

const BOXES = 20
const PER_BATCH = 30
const AT_ONCE = 8
const FRAMES_EVERY_MS = 50

/** One more box of the hostile Empresa, which sends batches and live pictures as fast as it can. */
async function floodingBox({ url, mqttPort, token }: AttackContext, number: number): Promise<RunningAttack> {
  const admin = clientOf(url, token)
  const { id: edgeId, identity } = await activateEdge(admin, url, `Caixa hostil ${number}`)
  const camera = { nome: `Hostil ${number}`, rtsp_url: `rtsp://127.0.0.1:9/h${number}`, edge_id: edgeId }
  const { id: cameraId } = await admin.expect<{ id: number }>(201, 'POST', '/api/v1/cameras', camera)
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
  start: async (context) => {
    const boxes: RunningAttack[] = []
    for (let number = 1; number <= BOXES; number += 1) boxes.push(await floodingBox(context, number))
    return { stop: async () => void (await Promise.all(boxes.map((box) => box.stop()))) }
  },
}
