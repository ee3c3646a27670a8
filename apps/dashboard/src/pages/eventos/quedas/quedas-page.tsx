import { IconShieldCheck } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Quedas } from '../../../domains/eventos/quedas/quedas.tsx'
import { usePageTitle } from '../../../session/use-page-title.ts'
import top from '../../../ui/cameras-page.module.css'
import { Notice } from '../../../ui/notice.tsx'
import chips from '../../../ui/status-filter.module.css'

/** The quedas of edges and cameras with their reasons. */
export function QuedasPage() {
  const { t } = useTranslation()
  const { empresa, abertas } = useSearch({ from: '/painel/quedas' })
  usePageTitle(t('quedas.titulo'))
  const filtro = { empresa: empresa ?? null, edge: null, camera: null, abertas: abertas ?? false }
  return (
    <>
      <div className={top.top}>
        <h1>{t('quedas.titulo')}</h1>
        <nav className={chips.filter} aria-label={t('quedas.filtro')}>
          <Chip abertas={undefined} label={t('quedas.todas')} />
          <Chip abertas label={t('quedas.abertas')} />
        </nav>
      </div>
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

function Chip({ abertas, label }: { abertas: true | undefined; label: string }) {
  return (
    <Link
      to="/quedas"
      search={abertas ? { abertas } : {}}
      replace
      activeOptions={{ exact: true, includeSearch: true }}
      className={chips.chip}
    >
      {label}
    </Link>
  )
}
