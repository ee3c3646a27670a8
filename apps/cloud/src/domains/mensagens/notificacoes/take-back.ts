import { setTimeout as delay } from 'node:timers/promises'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import type { Ended, Senders, TakeBack } from '../../../adapters/senders/interface.ts'
import { camerasOfCanal, listMqttCanais } from '../../../db/mqtt-canais.ts'
import type { Database } from '../../../db/open.ts'
import { ownNetworks } from '../../../db/own-networks.ts'
import type { CanalRow } from '../../../db/rows.ts'
import type { Logger } from '../../../http/request-log.ts'
import { openSecret } from './signing-secret.ts'
import { destinationsOf } from './view-canal.ts'

interface TakeBackDeps {
  readonly box: SecretBox
  readonly senders: Senders
  readonly log: Logger
}

/** Pauses before the attempts at one destination. A stop of the process ends them. */
const PAUSES_MS = [0, 30_000, 300_000, 3_600_000]

/** Removes retained messages at brokers of customers in the background, when their canal or camera has ended. */
export function createTakeBack({ box, senders, log }: TakeBackDeps) {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()

  async function run({ canal, redes, cameras, destinos = destinationsOf(canal) }: Ended): Promise<void> {
    const { takeBack } = senders[canal.tipo]
    if (!takeBack || cameras.length === 0) return
    const segredo = openSecret(box, canal)
    const at = async (endereco: string) => {
      for (const pauseMs of PAUSES_MS) {
        await delay(pauseMs, undefined, { signal: stopping.signal })
        const outcome = await takeBack({ endereco, segredo, redes }, cameras, stopping.signal)
        if (outcome.ok) return
        log.warn({ canal_id: canal.id, motivo: outcome.erro }, 'retained messages not taken back')
      }
    }
    await Promise.all(destinos.map(at))
  }

  const takeBack: TakeBack = (ended) => {
    const task = run(ended)
      .catch((err: unknown) => {
        if (!stopping.signal.aborted) log.error({ err, canal_id: ended.canal.id }, 'retained messages not taken back')
      })
      .finally(() => running.delete(task))
    running.add(task)
  }
  return {
    takeBack,
    start() {},
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

/**
 * Messages at the brokers of a canal that no canal of its Empresa keeps up after its change or removal in `tx`. Each
 * destination counts alone, because another canal may use one of them.
 * @param cameras of the canal before the change
 */
export async function endedOf(tx: Database, canal: CanalRow, cameras: readonly number[]): Promise<Ended[]> {
  if (canal.tipo !== 'mqtt') return []
  const redes = await ownNetworks(tx, canal.empresa_id)
  const others = await listMqttCanais(tx, canal.empresa_id)
  return destinationsOf(canal).flatMap((destino) => {
    const keeping = others.filter((one) => destinationsOf(one).includes(destino))
    const isKept = (id: number) => keeping.some(({ camera_id }) => camera_id === null || camera_id === id)
    const left = cameras.filter((id) => !isKept(id))
    return left.length === 0 ? [] : [{ canal, redes, cameras: left, destinos: [destino] }]
  })
}

/** The cameras that a canal may have published before its change or removal. */
export const camerasBefore = (tx: Database, canal: CanalRow): Promise<number[]> =>
  canal.tipo === 'mqtt' ? camerasOfCanal(tx, canal) : Promise.resolve([])
