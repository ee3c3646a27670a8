import { empresaSchema } from '@vigia/contracts/empresas'
import type { AllowedCidrs } from '@vigia/rtsp/address-policy'
import type { Clock } from '../../../adapters/clock.ts'
import type { SecretBox } from '../../../adapters/secret-box.ts'
import type { Senders } from '../../../adapters/senders/interface.ts'
import { lanNetworks } from '../../../adapters/senders/lan-networks.ts'
import { findEmpresa } from '../../../db/empresas.ts'
import type { Database } from '../../../db/open.ts'
import { camerasNotKept, deleteOrder, findOrder } from '../../../db/recolhimentos.ts'
import type { Claim } from '../../../db/work-queue/queue.ts'
import { createDeliveryEngine, type DeliveryEngine, type EngineDeps } from '../delivery/delivery-engine.ts'
import type { Attempt, DeliveryKind, Plan } from '../delivery/delivery-kind.ts'
import { backOff, LONGEST_WAIT_MS } from '../notificacoes/back-off.ts'
import { openSecret } from '../notificacoes/signing-secret.ts'

interface TakeBackDeps {
  readonly db: Database
  readonly clock: Clock
  readonly box: SecretBox
  readonly senders: Pick<Senders, 'mqtt'>
}

const AT_ONCE = 4
/** Age at which an order ends undone, with the login that it holds. */
const GIVE_UP_MS = 7 * 86_400_000

/** Takes back what ended canais and cameras left at the brokers of customers. */
export const createTakeBack = (deps: EngineDeps & TakeBackDeps): DeliveryEngine =>
  createDeliveryEngine(deps, takeBackKind(deps))

const takeBackKind = (deps: TakeBackDeps): DeliveryKind => ({
  slots: [{ tipo: 'recolhimento', atOnce: AT_ONCE, perRoot: AT_ONCE - 2 }],
  wakenBy: [],
  retry: { waitMs: (tries) => backOff(tries, Math.random()), longestWaitMs: LONGEST_WAIT_MS, giveUpMs: GIVE_UP_MS },
  lines: { delivered: 'retained messages taken back', failed: 'retained messages not taken back' },
  plan: (claim) => planTakeBack(deps, claim),
})

async function planTakeBack(deps: TakeBackDeps, claim: Claim): Promise<Plan> {
  const { db, clock } = deps
  const id = Number(claim.chave)
  const order = await findOrder(db, id)
  const about = { recolhimento_id: id, empresa_id: claim.empresa_id, ...(order && { canal_id: order.canal_id }) }
  const end = (motivo: string): Plan => ({
    step: 'end',
    write: (tx) => deleteOrder(tx, id),
    line: [{ ...about, motivo }, 'retained messages stay'],
  })
  if (!order) return end('too many orders of its Empresa')
  // An internal error, such as a missing key, is repeated until here.
  if (clock.now() - order.criado_em > GIVE_UP_MS) return end('too old')
  const { empresa_id: empresaId, destino } = order
  const cameras = await camerasNotKept(db, { empresaId, destino }, order.cameras)
  if (cameras.length === 0) return end('a canal keeps them up again')
  const attempt: Attempt = {
    async send(signal) {
      const segredo = openSecret(deps.box, { id: order.canal_id, segredo_cifrado: order.segredo_cifrado })
      const redes = await networksOf(db, order)
      return deps.senders.mqtt.takeBack({ endereco: destino, segredo, redes }, cameras, signal)
    },
    write: async (tx, result) => {
      if (result.ok || result.isAbandoned) await deleteOrder(tx, id)
    },
    fields: (result) => ({
      ...about,
      cameras: cameras.length,
      ...(!result.ok && { erro: result.erro, desistido: result.isAbandoned }),
    }),
  }
  return { step: 'send', attempt }
}

/** Networks of the Empresa now, or those that it had. */
async function networksOf(
  db: Database,
  { empresa_id, redes_json }: { readonly empresa_id: number; readonly redes_json: string },
): Promise<AllowedCidrs> {
  const empresa = await findEmpresa(db, empresa_id)
  const json = empresa?.redes_permitidas_json ?? redes_json
  return lanNetworks(empresaSchema.shape.redes_permitidas.parse(JSON.parse(json)))
}
