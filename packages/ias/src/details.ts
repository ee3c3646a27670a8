import { z } from 'zod'

/** Schemas of `detalhes` that several IAs fill. */

/** How long it had lasted, s. */
export const duracaoS = z.number().min(0).optional()
/** How many people. */
export const pessoas = z.int().min(0).optional()
