import { queryOptions } from '@tanstack/react-query'
import { livroSchema } from '@vigia/contracts/livro'
import type { Api } from './client.ts'

/** Filter of the book of occurrences. Times are ISO 8601. */
export interface FiltroLivro {
  readonly empresa: number | undefined
  readonly camera: number | undefined
  readonly desde: string
  readonly ate: string
}

/** Answers and hand-overs of a period. */
export const livroQuery = (api: Api, { empresa, camera, desde, ate }: FiltroLivro) =>
  queryOptions({
    queryKey: ['livro', empresa, camera, desde, ate],
    queryFn: ({ signal }) => {
      const search = new URLSearchParams({ desde, ate })
      if (empresa !== undefined) search.set('empresa_id', String(empresa))
      if (camera !== undefined) search.set('camera_id', String(camera))
      return api.get(`/livro?${search}`, livroSchema, signal)
    },
  })
