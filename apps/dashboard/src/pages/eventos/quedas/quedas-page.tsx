import { IconShieldCheck } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Quedas } from '../../../domains/eventos/quedas/quedas.tsx'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { Chip, Chips } from '../../../ui/chips.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHead } from '../../../ui/page.tsx'

/** The quedas of edges and cameras with their reasons. */
export function QuedasPage() {
  const { t } = useTranslation()
  const { empresa, abertas } = useSearch({ from: '/painel/quedas' })
  usePageTitle(t('quedas.titulo'))
  const filtro = { empresa: empresa ?? null, edge: null, camera: null, abertas: abertas ?? false }
  return (
    <>
      <PageHead>
        <h1>{t('quedas.titulo')}</h1>
        <Chips aria-label={t('quedas.filtro')}>
          <Filter abertas={undefined} label={t('quedas.todas')} />
          <Filter abertas label={t('quedas.abertas')} />
        </Chips>
      </PageHead>
      <Quedas
        key={String(abertas)}
        filtro={filtro}
        none={
          <Notice
            icon={<IconShieldCheck size={32} />}
            title={abertas ? t('quedas.nenhumaAberta') : t('quedas.nenhuma')}
            text={t('quedas.nenhumaTexto')}
          />
        }
      />
    </>
  )
}

function Filter({ abertas, label }: { abertas: true | undefined; label: string }) {
  return (
    <Chip to="/quedas" search={abertas ? { abertas } : {}} replace activeOptions={{ exact: true, includeSearch: true }}>
      {label}
    </Chip>
  )
}
