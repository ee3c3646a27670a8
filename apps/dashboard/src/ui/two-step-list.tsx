import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ListEndNote, More } from './more.tsx'

/**
 * A list that is fetched with the first number of `steps` as its limit, and on request with the second. If the second
 * request fails, the first entries stay.
 */
export function useTwoStepList<T, Key extends QueryKey>(
  steps: readonly [number, number],
  optionsOf: (limite: number) => UseQueryOptions<T[], Error, T[], Key>,
) {
  const [few, many] = steps
  const [limite, setLimite] = useState(few)
  const first = useQuery({ ...optionsOf(few), enabled: limite === few })
  const list = useQuery({ ...optionsOf(limite), placeholderData: (previous) => previous })
  const data = list.data ?? first.data
  const failed = list.data === undefined && list.error !== null
  const pending = list.isPlaceholderData || (failed && list.isFetching)
  return {
    data,
    error: list.error,
    isPlaceholderData: list.isPlaceholderData,
    refetch: list.refetch,
    end: {
      hasMore: (data?.length ?? 0) >= (failed || pending ? few : limite),
      atLimit: limite === many && !failed && !pending,
      loading: pending,
      error: failed ? list.error : null,
      onMore: () => (limite === few ? setLimite(many) : void list.refetch()),
    },
  }
}

export interface ListEndProps {
  readonly end: ReturnType<typeof useTwoStepList>['end']
  /** Text of the button. */
  readonly label: string
  /** Shown at the largest limit. */
  readonly limitReached: string
}

/** End of a two-step list: nothing, the button for older entries, or a text at the largest limit. */
export function ListEnd({ end: { hasMore, atLimit, ...more }, label, limitReached }: ListEndProps) {
  if (!hasMore) return null
  return atLimit ? <ListEndNote>{limitReached}</ListEndNote> : <More label={label} {...more} />
}
