import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'

/** Downloads a record as a ZIP archive; the session cookie authenticates it. @param path of the record below /api/v1 */
export function ExportLink({ path }: { path: string }) {
  const { t } = useTranslation()
  const { ownAddress } = useServices()
  return (
    <Button
      component="a"
      href={ownAddress(`/api/v1${path}/exportar`)}
      download
      variant="default"
      size="sm"
      leftSection={<IconDownload size={16} aria-hidden="true" />}
    >
      {t('plantao.exportar')}
    </Button>
  )
}
