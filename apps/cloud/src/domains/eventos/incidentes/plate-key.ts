import { ia, nomesIas } from '@vigia/contracts/ias'
import { normalizePlaca } from '@vigia/contracts/placas'
import { z } from 'zod'

const tipoSchema = z.enum(nomesIas)
const detalhesSchema = z.object({ placa: z.string().nullish(), passagem_id: z.number().nullish() }).loose()

/** Whether events of this IA are of licence plates. */
export const isOfPlates = (tipo: string): boolean => ia(tipoSchema.parse(tipo)).modelo === 'placas'

interface OfVehicle {
  readonly id: number
  readonly tipo: string
  readonly detalhes_json: string
}

/** Names the vehicle of an event: by the text of its plate, else by its passage. null: it is of another IA. */
export function plateKeyOf({ id, tipo, detalhes_json }: OfVehicle): string | null {
  if (!isOfPlates(tipo)) return null
  const { placa, passagem_id } = detalhesSchema.parse(JSON.parse(detalhes_json))
  if (placa) return normalizePlaca(placa)
  return passagem_id == null ? `evento ${id}` : `passagem ${passagem_id}`
}
