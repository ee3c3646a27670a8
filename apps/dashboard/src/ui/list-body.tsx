import type { ReactNode } from 'react'
import { CardsSkeleton } from './cards-skeleton.tsx'
import { Failure } from './failure.tsx'

interface ListBodyProps<T> {
  /** Result of the request for the list. */
  readonly query: {
    readonly data: readonly T[] | undefined
    readonly error: unknown
    readonly refetch: () => unknown
  }
  /** Shown in place of an empty list. */
  readonly none: ReactNode
  /** Shown during the first request. */
  readonly loading?: ReactNode
  readonly children: (data: readonly T[]) => ReactNode
}

/** A list, or why there is none: the first request, a failure, or no entry. A later failure leaves the list. */
export function ListBody<T>({ query, none, loading = <CardsSkeleton />, children }: ListBodyProps<T>) {
  const { data, error, refetch } = query
  if (data === undefined) return error ? <Failure error={error} onRetry={() => void refetch()} /> : loading
  return data.length === 0 ? none : children(data)
}
