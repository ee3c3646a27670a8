import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { camerasQuery } from '../api/queries.ts'
import { alarmOf } from '../live/alarm.ts'
import { useServices } from './services.ts'

/** Keeps the sound equal to the state of the page: the lost contact first, else the highest unanswered severity. */
export function useAlarm(isLost: boolean): void {
  const { api, incidentes, sound } = useServices()
  const { empresa = null } = useSearch({ from: '/painel' })
  const [openedAt] = useState(() => Date.now())
  const known = useSyncExternalStore(incidentes.subscribe, incidentes.all)
  const { data: cameras = [] } = useQuery(camerasQuery(api, empresa))

  useEffect(() => {
    const silenced = new Set(cameras.flatMap(({ id, silencio }) => (silencio === null ? [] : [id])))
    sound.ring(isLost ? 'contato' : alarmOf(known, { empresa, silenced, openedAt }))
  }, [cameras, empresa, isLost, known, openedAt, sound])

  useEffect(() => () => sound.ring(null), [sound])
}
