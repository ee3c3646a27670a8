import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { camerasQuery, empresasQuery } from '../../../api/queries.ts'
import { useServices } from '../../../session/services.ts'
import { NameSearch } from '../../../ui/name-search.tsx'

interface CameraFilterProps {
  readonly label: string
  readonly hideLabel?: boolean
  /** Name of the choice of all cameras. */
  readonly all: string
  /** Chosen camera; it may have been removed, while its records still exist. */
  readonly camera: number | undefined
  /** Name of a removed camera. */
  readonly removed: string
  readonly onChoose: (camera: number | undefined) => void
}

/** Filter by one camera of the Empresa that the page shows. */
export function CameraFilter({ camera, removed, ...search }: CameraFilterProps) {
  const { api } = useServices()
  const { empresa } = useSearch({ from: '/painel' })
  const { data: cameras = [] } = useQuery(camerasQuery(api, empresa ?? null))
  const { data: empresas = [] } = useQuery(empresasQuery(api))
  const owners = new Map(empresas.map(({ id, nome }) => [id, nome]))
  const options = cameras.map(({ id, nome, empresa_id }) => ({
    id,
    nome,
    onde: empresas.length > 1 ? (owners.get(empresa_id) ?? null) : null,
  }))
  return <NameSearch options={options} value={camera} missing={removed} {...search} />
}
