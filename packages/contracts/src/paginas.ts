import { z } from 'zod'
import { inteiroTexto } from './values.ts'

/** Largest number of rows that a list skips; each skipped row costs a read. A cursor skips no row. */
const OFFSET_MAXIMO = 10_000

const cursor = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,200}$/)
  .optional()
  .describe('Como veio no cabeçalho `Link`: o que for registrado entre duas páginas não as desloca.')

/** Query fields of a list that is whole without them, ordered by id. */
export const camposLista = {
  cursor,
  limit: inteiroTexto(1, 200)
    .optional()
    .describe('Tamanho da página. Sem `limit` e sem `cursor`, a lista vem inteira.'),
}

/** Query fields of each paged list, newest first. */
export const camposPagina = {
  cursor,
  limit: inteiroTexto(1, 200).default(50).describe('Tamanho da página.'),
  offset: z
    .string()
    .regex(/^-?\d{1,16}$/, { error: 'int_parsing' })
    .transform(Number)
    .pipe(
      z
        .int()
        .min(0)
        .refine((offset) => offset <= OFFSET_MAXIMO, {
          error:
            `Deve ser no máximo ${OFFSET_MAXIMO}. ` +
            'Para ir mais longe, use `cursor`, que vem no cabeçalho `Link` de cada página',
          params: { type: 'offset_too_deep' },
        })
        .meta({ maximum: OFFSET_MAXIMO }),
    )
    .default(0),
}
