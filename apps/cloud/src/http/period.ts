import { invalid } from '@vigia/contracts/errors'

/** Times of a query, epoch ms; undefined: no bound. */
interface Period {
  readonly desde: number | undefined
  readonly ate: number | undefined
}

/** @throws VigiaError `validacao` for a period that ends before its start. */
export function readPeriod(query: { readonly desde?: string | undefined; readonly ate?: string | undefined }): Period {
  const desde = query.desde === undefined ? undefined : Date.parse(query.desde)
  const ate = query.ate === undefined ? undefined : Date.parse(query.ate)
  if (desde !== undefined && ate !== undefined && desde > ate)
    throw invalid(['query', 'ate'], 'O período termina antes de começar. Troque desde e ate.', 'period_inverted')
  return { desde, ate }
}
