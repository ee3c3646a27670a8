import { z } from 'zod'
import { cameraFailures } from './camera-failures.ts'

/** Answer or failure of a device that an edge saw for a request. Never contains a credential or a path. */
export const causaSchema = z.object({
  motivo: z.enum(cameraFailures),
  /** The answer of the device, a codec's name, or the server of a redirection. */
  complemento: z.string().max(100).nullable(),
})
export type Causa = z.infer<typeof causaSchema>
