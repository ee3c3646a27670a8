import { z } from 'zod'

const canal = z.int().min(1)

/** Message of a test to the simulator over the IPC channel. */
const controlSchema = z.union([
  z.strictObject({
    canal,
    /** Second of the loop at which the scene stops, at a keyframe; null: it continues. */
    pausa: z.number().min(0).nullable(),
  }),
  z.strictObject({
    canal,
    /** All clients of this stream get a keyframe now. */
    quadro_chave: z.enum(['principal', 'sub']),
  }),
])

/** Null: not a message for the simulator. */
export const readControl = (message: unknown): z.infer<typeof controlSchema> | null =>
  controlSchema.safeParse(message).data ?? null
