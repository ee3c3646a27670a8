import { useQuery } from '@tanstack/react-query'
import type { Incidente } from '@vigia/contracts/incidentes'
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { filaQuery } from '../../../api/queries.ts'
import { isUnanswered } from '../../../live/alarm.ts'
import { useServices } from '../../../session/services.ts'
import { type Fila, type FiltroFila, filaOf, isIn, type Recorte, takeIn } from './fila.ts'
import { useIdle } from './use-idle.ts'

/** Time without pointer and keyboard after which new incidentes are shown at once: nobody aims at a card. */
const IDLE_MS = 30_000

interface ShownFila extends Fila {
  readonly error: Error | null
  /** Incidentes of the shown part, in order. */
  readonly visiveis: readonly Incidente[]
  /** Nobody has moved the pointer or pressed a key for a while. */
  readonly isIdle: boolean
  /** The first answer has arrived. */
  readonly isReady: boolean
  readonly selected: Incidente | null
  retry(): void
  /** Shows the new incidentes, removes the resolved ones and selects the first unanswered one. */
  update(): void
  select(id: number): void
  /** Selects the next unanswered incidente after the selected one, else the next one. */
  next(): void
  previous(): void
  /** Moves the selection by one position, whatever the state of the incidentes. */
  move(by: 1 | -1): void
}

/** The queue of Plantão with its selection. @param isHeld the pointer is over the list */
export function useFila(filtro: FiltroFila, { gravidade, ia }: Recorte, isHeld: boolean): ShownFila {
  const { api, incidentes } = useServices()
  const { empresa, situacao } = filtro
  const known = useSyncExternalStore(incidentes.subscribe, incidentes.all)
  const { data, error, refetch } = useQuery(filaQuery(api, empresa, situacao))
  const isIdle = useIdle(IDLE_MS)
  const key = `${empresa}/${situacao}`
  const [shown, setShown] = useState<{ key: string; ids: readonly number[] } | null>(null)
  const [picked, setPicked] = useState<number | null>(null)

  useEffect(() => {
    if (data) incidentes.put(data, 'api')
  }, [data, incidentes])

  const isReady = shown?.key === key
  const ids = isReady ? shown.ids : NONE
  const listed = useMemo(() => new Set(data?.map(({ id }) => id)), [data])
  const fila = useMemo(() => filaOf(ids, known, listed, { empresa, situacao }), [ids, known, listed, empresa, situacao])
  const { itens, novos } = fila

  const update = useCallback(() => {
    setShown({ key, ids: takeIn(fila, known, { empresa, situacao }) })
    setPicked(null)
  }, [empresa, fila, key, known, situacao])

  // The store has the first answer one render after the query.
  const isLoaded = data?.every(({ id }) => known.has(id)) ?? false
  const isFirst = !isReady && isLoaded
  const isFree = novos.length > 0 && (isIdle || (!isHeld && !itens.some(isUnanswered)))
  useEffect(() => {
    if (isFirst || (isReady && isFree)) update()
  }, [isFirst, isFree, isReady, update])

  const visiveis = useMemo(() => itens.filter((one) => isIn({ gravidade, ia }, one)), [itens, gravidade, ia])
  const selected = visiveis.find(({ id }) => id === picked) ?? visiveis.find(isUnanswered) ?? visiveis[0] ?? null
  const selectedId = selected?.id ?? null
  // The selection stays when somebody else answers it: a key must not answer another incidente.
  useEffect(() => setPicked(selectedId), [selectedId])
  const index = selected ? visiveis.indexOf(selected) : -1
  const pick = (one: Incidente | undefined) => {
    if (one) setPicked(one.id)
  }
  return {
    ...fila,
    visiveis,
    isIdle,
    error,
    isReady,
    selected,
    retry: () => void refetch(),
    update,
    select: setPicked,
    next: () =>
      pick([...visiveis.slice(index + 1), ...visiveis.slice(0, index)].find(isUnanswered) ?? visiveis[index + 1]),
    previous: () => pick(visiveis[index - 1]),
    move: (by) => pick(visiveis[index + by]),
  }
}

const NONE: readonly number[] = []
