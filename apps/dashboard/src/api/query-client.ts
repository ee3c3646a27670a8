import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { VigiaError } from '@vigia/contracts/errors'

/** Only transient failures are retried. */
const worthRetrying = (count: number, error: unknown) =>
  count < 2 && error instanceof VigiaError && error.code === 'indisponivel'

/** Calls `onSessionEnded` when any answer reports a missing session. */
export function createQueries({ onSessionEnded }: { onSessionEnded: () => void }): QueryClient {
  const onError = (error: unknown) => {
    if (error instanceof VigiaError && error.code === 'nao_autenticado') onSessionEnded()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: { queries: { staleTime: 30_000, retry: worthRetrying }, mutations: { retry: false } },
  })
}
