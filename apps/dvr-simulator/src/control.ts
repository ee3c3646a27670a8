import { z } from 'zod'

/** Message of a test to the simulator over the IPC channel. */
const controlSchema = z.strictObject({
  canal: z.int().min(1),
  /** Second of the loop at which the scene stops, at a keyframe; null: it continues. */
  pausa: z.number().min(0).nullable(),
})

/** Null: not a message for the simulator. */
export const readControl = (message: unknown): z.infer<typeof controlSchema> | null =>
  controlSchema.safeParse(message).data ?? null
