import { z } from 'zod'

/** How the video of a camera travels to its edge. `automatico`: TCP, and UDP where the device needs it. */
export const transporteSchema = z.enum(['automatico', 'tcp', 'udp'])
export type Transporte = z.infer<typeof transporteSchema>

/** The transport that an edge uses now. `ffmpeg`: its second RTSP client. */
export const leituraSchema = z.enum(['tcp', 'udp', 'ffmpeg'])
export type Leitura = z.infer<typeof leituraSchema>

export const transportePutSchema = z
  .strictObject({ transporte: transporteSchema })
  .meta({ id: 'TransportePut', examples: [{ transporte: 'udp' }] })

export type TransportePut = z.infer<typeof transportePutSchema>

export const transporteCameraSchema = z
  .object({
    transporte: transporteSchema.describe('O que foi escolhido. `automatico`: TCP, e UDP se o equipamento precisar.'),
    leitura: leituraSchema
      .nullable()
      .describe('O que a caixa usa agora; `ffmpeg`: o segundo leitor dela. null: ainda não disse.'),
    detalhe: z.string().nullable().describe('O que isto quer dizer, e o que fazer.'),
  })
  .meta({ id: 'TransporteCamera' })
export type TransporteCamera = z.infer<typeof transporteCameraSchema>
