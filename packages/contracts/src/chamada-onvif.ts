import { z } from 'zod'
import { portaSchema } from './values.ts'

/** `resumo_http`: HTTP Digest. `resumo_ws`, `texto_ws`: WS-Security, with a digest or with the password itself. */
export const loginsOnvif = ['nenhum', 'resumo_http', 'resumo_ws', 'texto_ws'] as const
/** The call at which a discovery by ONVIF failed. */
export const chamadaOnvifSchema = z.object({
  chamada: z.string().regex(/^[A-Za-z0-9]{1,40}$/),
  /** Port of the ONVIF service. */
  porta: portaSchema,
  login: z.enum(loginsOnvif),
})
export type ChamadaOnvif = z.infer<typeof chamadaOnvifSchema>
