import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { Incidente } from '@vigia/contracts/incidentes'
import { camerasQuery, incidenteQuery } from '../../../api/queries.ts'
import type { Answering } from '../../../domains/eventos/incidentes/use-answer.ts'
import { useServices } from '../../../session/services.ts'
import { Rail } from './rail.tsx'
import { Stage } from './stage.tsx'

interface SelectedProps {
  readonly incidente: Incidente
  readonly answering: Answering
  readonly onNext: () => void
}

/** Stage and rail of the selected incidente. */
export function Selected({ incidente, ...rail }: SelectedProps) {
  const { api } = useServices()
  const { empresa = null } = useSearch({ from: '/painel' })
  const { data: detalhe } = useQuery(incidenteQuery(api, incidente.id))
  const { data: cameras } = useQuery(camerasQuery(api, empresa))
  const camera = cameras?.find(({ id }) => id === incidente.camera_id)
  return (
    <>
      <Stage incidente={incidente} detalhe={detalhe} camera={camera} />
      <Rail incidente={incidente} detalhe={detalhe} camera={camera} {...rail} />
    </>
  )
}
