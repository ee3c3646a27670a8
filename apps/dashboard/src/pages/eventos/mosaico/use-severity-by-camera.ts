import { type Gravidade, gravidades } from '@vigia/contracts/ias'
import { useMemo, useSyncExternalStore } from 'react'
import { isUnanswered } from '../../../live/alarm.ts'
import { useServices } from '../../../session/services.ts'

/** Highest severity of the unanswered incidentes of each camera. */
export function useSeverityByCamera(): ReadonlyMap<number, Gravidade> {
  const { incidentes } = useServices()
  const known = useSyncExternalStore(incidentes.subscribe, incidentes.all)
  return useMemo(() => {
    const severities = new Map<number, Gravidade>()
    for (const { incidente } of known.values()) {
      if (!isUnanswered(incidente)) continue
      const before = severities.get(incidente.camera_id)
      const isHigher = before === undefined || gravidades.indexOf(before) < gravidades.indexOf(incidente.gravidade)
      if (isHigher) severities.set(incidente.camera_id, incidente.gravidade)
    }
    return severities
  }, [known])
}
