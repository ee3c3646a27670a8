import { empresaSchema } from '@vigia/contracts/empresas'
import type { AllowedCidrs } from '@vigia/rtsp/address-policy'
import { lanNetworks } from '../adapters/senders/lan-networks.ts'
import { findEmpresa } from './empresas.ts'
import type { Database } from './open.ts'

/** Private networks that the operator opened for the messages of an Empresa. */
export async function ownNetworks(db: Database, empresaId: number): Promise<AllowedCidrs> {
  const empresa = await findEmpresa(db, empresaId)
  if (!empresa) return []
  return lanNetworks(empresaSchema.shape.redes_permitidas.parse(JSON.parse(empresa.redes_permitidas_json)))
}

/** The same for the Empresa of a login; an operator has none. */
export const networksOf = async (db: Database, empresaId: number | null): Promise<AllowedCidrs> =>
  empresaId === null ? [] : ownNetworks(db, empresaId)
