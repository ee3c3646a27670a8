import { z } from 'zod'
import { canalSchema } from './cameras.ts'
import { portaSchema } from './values.ts'

/** `rtsps://`, a host of 50 characters, and a port. */
export const MAX_OUTRO_ENDERECO = 64

export const canalSondadoSchema = z.object({
  canal: canalSchema,
  /** `video`: video exists; `vazia`: none on this canal; `sem_resposta`: no answer of the gravador in time. */
  estado: z.enum(['video', 'vazia', 'sem_resposta']),
  codec: z.string().max(32).nullable(),
  resolucao: z.string().max(16).nullable(),
  /** Another device to which the gravador redirects this canal: scheme, host and port. Older clouds ignore it. */
  outro_endereco: z.string().max(MAX_OUTRO_ENDERECO).optional(),
})
export type CanalSondado = z.infer<typeof canalSondadoSchema>

/** Longest path with query of an ONVIF stream, in characters. */
export const MAX_CAMINHO_ONVIF = 512

/** The part of a stream URL that the device provides; the caller adds its own host and credentials. */
export const fluxoOnvifSchema = z.object({
  /** RTSP port. */
  porta: portaSchema,
  /** Path and query in ASCII, without characters that end or move an authority (`@`, `#`, RFC 3986 3.2). */
  caminho: z
    .string()
    .max(MAX_CAMINHO_ONVIF)
    .regex(/^\/[!-~]*$/)
    .regex(/^[^@#]*$/),
})
export type FluxoOnvif = z.infer<typeof fluxoOnvifSchema>

export const canalOnvifSchema = canalSondadoSchema.extend({
  /** null: the device has no such video source, or reported no usable address for it. */
  principal: fluxoOnvifSchema.nullable(),
  sub: fluxoOnvifSchema.nullable(),
})
export type CanalOnvif = z.infer<typeof canalOnvifSchema>
