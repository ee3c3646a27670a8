import { normalizePlaca } from '@vigia/contracts/placas'
import { z } from 'zod'

const detalhesSchema = z.object({ placa: z.string().nullish(), passagem_id: z.number().nullish() }).loose()

/** Names the vehicle of an event: by the text of its plate, else by its passage. null: it is of another IA. */
export function plateKeyOf({
  id,
  tipo,
  detalhes_json,
}: {
  id: number
  tipo: string
  detalhes_json: string
}): string | null {
  if (tipo !== 'placa') return null
  const { placa, passagem_id } = detalhesSchema.parse(JSON.parse(detalhes_json))
  if (placa) return normalizePlaca(placa)
  return passagem_id == null ? `evento ${id}` : `passagem ${passagem_id}`
}
