import { z } from 'zod'
import { nomesFabricantes } from './fabricantes.ts'
import { portaSchema, textoCurto } from './values.ts'

/**
 * Ports that a scan tries on each address: web pages, RTSP, and the makers' services (Hikvision 8000, XM 8899 and
 * 34567, Dahua and Intelbras 37777).
 */
export const PORTAS_VARREDURA = [554, 8554, 37777, 34567, 8899, 8000, 80] as const

/** Largest number of networks of one scan, and of devices in its result. */
export const MAX_REDES_VARREDURA = 4
export const MAX_EQUIPAMENTOS_VARREDURA = 256

/** Longest name of a model, in characters. */
export const MAX_MODELO = 64

export const redeVarreduraSchema = z
  .object({
    rede: z.string().max(18).describe('Em notação CIDR, por exemplo `192.168.0.0/24`.'),
    enderecos: z.int().min(0).max(254).describe('Endereços que a varredura tenta nesta rede.'),
  })
  .meta({ id: 'RedeVarredura' })
export type RedeVarredura = z.infer<typeof redeVarreduraSchema>

/** Scope of a scan, before it starts. */
export const alcanceVarreduraSchema = z
  .object({
    redes: z.array(redeVarreduraSchema).max(MAX_REDES_VARREDURA),
    portas: z.array(portaSchema).max(64).describe('Portas tentadas em cada endereço.'),
  })
  .meta({ id: 'AlcanceVarredura', description: 'O que a caixa procuraria, sem procurar.' })
export type AlcanceVarredura = z.infer<typeof alcanceVarreduraSchema>

export const equipamentoSchema = z
  .object({
    host: z.ipv4(),
    portas: z.array(portaSchema).max(64).describe('As portas que aceitaram conexão.'),
    fabricante: z.enum(nomesFabricantes).nullable().describe('Reconhecido pelas respostas; null: não reconhecido.'),
    modelo: textoCurto(MAX_MODELO).nullable().describe('Como o próprio equipamento se chama.'),
    onvif: portaSchema.nullable().describe('Porta do serviço ONVIF; null: o equipamento não se anunciou por ONVIF.'),
  })
  .meta({ id: 'Equipamento', description: 'Um gravador ou câmera encontrado na rede da caixa.' })
export type Equipamento = z.infer<typeof equipamentoSchema>
