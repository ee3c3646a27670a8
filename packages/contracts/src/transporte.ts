import { z } from 'zod'

/** How the video of a camera travels to its edge. `automatico`: TCP, and UDP where the device needs it. */
export const transporteSchema = z.enum(['automatico', 'tcp', 'udp'])
export type Transporte = z.infer<typeof transporteSchema>

/** The transport that an edge uses now. `ffmpeg`: its second RTSP client. */
export const leituraSchema = z.enum(['tcp', 'udp', 'ffmpeg'])
export type Leitura = z.infer<typeof leituraSchema>

/** Packets of RTP over UDP since the connection began. */
export const perdasSchema = z.object({
  perdidos: z.int().min(0),
  /** Lost and received. */
  esperados: z.int().min(0),
  /** Interarrival jitter (RFC 3550 6.4.1). */
  jitter_ms: z.number().min(0),
})
export type Perdas = z.infer<typeof perdasSchema>

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
    perdas: perdasSchema
      .nullable()
      .describe('Pacotes desde o começo da conexão por UDP; null: não é UDP, ou a caixa não diz.'),
    detalhe: z.string().nullable().describe('O que isto quer dizer, e o que fazer.'),
  })
  .meta({ id: 'TransporteCamera' })
export type TransporteCamera = z.infer<typeof transporteCameraSchema>
