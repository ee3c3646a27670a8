import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { camerasQuery } from '../../../api/queries.ts'
import { useServices } from '../../../session/services.ts'
import { NameSearch } from '../../../ui/name-search.tsx'

interface QuedaFilterProps {
  /** Empresa that the page shows; undefined: all. */
  readonly empresa: number | undefined
  readonly camera: number | undefined
  readonly onChoose: (camera: number | undefined) => void
}

/** Search box for the quedas of one camera. */
export function QuedaFilter({ empresa, camera, onChoose }: QuedaFilterProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data: cameras = [] } = useQuery(camerasQuery(api, empresa ?? null))
  return (
    <NameSearch
      label={t('quedas.camera')}
      all={t('quedas.todas')}
      options={cameras.map(({ id, nome }) => ({ id, nome }))}
      value={camera}
      missing={t('quedasTabela.cameraRemovida', { id: camera ?? 0 })}
      onChoose={onChoose}
    />
  )
}
