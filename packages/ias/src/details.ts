import { z } from 'zod'

/** Schemas of the fields of `detalhes` that several IAs fill. */

/** Duration up to the event. */
export const duracaoS = z.number().min(0).optional()
/** How many people. */
export const pessoas = z.int().min(0).optional()
