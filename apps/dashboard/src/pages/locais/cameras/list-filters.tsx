import { SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { Filters, Soft } from '../../../ui/page.tsx'
import { TypedText } from '../../../ui/typed-text.tsx'
import { keepVista, type VistaCameras, vistasCameras } from './vista.ts'

interface ListFiltersProps {
  readonly vista: VistaCameras
  readonly found: number
  readonly total: number
}

/** Search, number of found cameras, and the form of the list. All are in the address. */
export function ListFilters({ vista, found, total }: ListFiltersProps) {
  const { t } = useTranslation()
  const { settings } = useServices()
  const { q = '' } = useSearch({ from: '/painel/cameras' })
  const navigate = useNavigate({ from: '/cameras' })
  const change = (values: { q?: string | undefined; vista?: VistaCameras }) =>
    void navigate({ search: (before) => ({ ...before, ...values }), replace: true, resetScroll: false })
  return (
    <Filters>
      <TypedText
        type="search"
        flex="1 1 15rem"
        maw="24rem"
        label={t('cameras.procurar')}
        placeholder={t('cameras.procurarExemplo')}
        value={q}
        onTyped={(text) => change({ q: text })}
      />
      <SegmentedControl
        aria-label={t('cameras.vista.titulo')}
        data={vistasCameras.map((one) => ({ value: one, label: t(`cameras.vista.${one}`) }))}
        value={vista}
        onChange={(chosen) => {
          keepVista(settings, chosen)
          change({ vista: chosen })
        }}
      />
      <Soft role="status">{found < total && t('cameras.encontradas', { found, total })}</Soft>
    </Filters>
  )
}
