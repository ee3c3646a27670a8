import { z } from 'zod'

/** How a recorder lists its recordings over HTTP. Each setting stands for reports about makers or firmwares. */
export const listSchema = z.object({
  porta: z.int().min(0).max(65_535),
  /** Files of a page, as far as the client wants as many. */
  pagina: z.int().min(1).default(40),
  /**
   * Dahua: number of the first channel in a search. The manual (HTTP API 2.76, 4.10.5) says 1; several clients ask from
   * 0.
   */
  canalInicial: z.union([z.literal(0), z.literal(1)]).default(1),
  /** Dahua: refuses a search with the condition of the type. */
  semTipos: z.boolean().default(false),
  /** Dahua: times without leading zeros, as in the manual. */
  semZeros: z.boolean().default(false),
  /**
   * Hikvision: accepted form of the search. `curta`: without declaration, name space and metadata (DS-7616NXI V4.84).
   * `completa`: only with them (cfryanr/hikvision-download-assistant).
   */
  forma: z.enum(['ambas', 'curta', 'completa']).default('ambas'),
  /** Hikvision: ignores the position of a page, as ISAPI 1.0 (cfryanr/hikvision-download-assistant #1). */
  ignoraPosicao: z.boolean().default(false),
  /** Hikvision: times with the offset of the zone instead of `Z`. */
  comDesvio: z.boolean().default(false),
  /** The login is right, but has no right to recordings. */
  semPermissao: z.boolean().default(false),
  /** Each answer has this body. */
  corpo: z.string().max(1_000_000).nullable().default(null),
})
/** Settings with their defaults. */
export type ListSettings = z.infer<typeof listSchema>
