import { Button } from '@mantine/core'
import { IconLicense, IconLock, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext, useSearch } from '@tanstack/react-router'
import type { PlacaListada } from '@vigia/contracts/placas'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PLACAS, placasQuery } from '../../api/placas-queries.ts'
import { useServices } from '../../session/services.ts'
import { usePageTitle } from '../../session/use-page-title.ts'
import page from '../../ui/cameras-page.module.css'
import { CamerasSkeleton } from '../../ui/cameras-skeleton.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import auditoria from '../pessoas/auditoria/auditoria.module.css'
import { AddPlaca } from './add-placa.tsx'
import { ImportPlacas } from './import-placas.tsx'
import { PlacaCard } from './placa-card.tsx'
import classes from './placas.module.css'
import { RemovePlaca } from './remove-placa.tsx'

/** Lists of allowed and blocked plates. */
export function PlacasPage() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  const [adding, setAdding] = useState(false)
  usePageTitle(t('placas.listas.titulo'))
  if (!me.ve_placas) return <Notice icon={<IconLock size={32} />} title={t('placas.so')} />
  const mayWrite = me.papel === 'administrador'
  return (
    <>
      <div className={page.top}>
        <h1>{t('placas.listas.titulo')}</h1>
        <p className={auditoria.soft}>{t('placas.listas.ajuda')}</p>
        <div className={page.add}>
          <Link to="/passagens" className={classes.link}>
            {t('placas.titulo')}
          </Link>
          {mayWrite && (
            <Button leftSection={<IconPlus size={18} />} onClick={() => setAdding(true)}>
              {t('placas.listas.criar')}
            </Button>
          )}
        </div>
      </div>
      {(empresa !== undefined || me.empresa_id !== null) && (
        <ImportPlacas empresa={empresa ?? null} mayWrite={mayWrite} />
      )}
      <Placas mayWrite={mayWrite} />
      {adding && <AddPlaca onClose={() => setAdding(false)} />}
    </>
  )
}

function Placas({ mayWrite }: { mayWrite: boolean }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { empresa } = useSearch({ from: '/painel' })
  const [leaving, setLeaving] = useState<PlacaListada | null>(null)
  const { data, error, refetch } = useQuery(placasQuery(api, empresa ?? null))
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <CamerasSkeleton />
  if (data.length === 0)
    return (
      <Notice
        icon={<IconLicense size={32} />}
        title={t('placas.listas.vazio.titulo')}
        text={t('placas.listas.vazio.texto')}
      />
    )
  return (
    <>
      <ul className={page.list} aria-label={t('placas.listas.titulo')}>
        {data.map((placa) => (
          <li key={placa.id}>
            <PlacaCard placa={placa} onRemove={mayWrite ? () => setLeaving(placa) : null} />
          </li>
        ))}
      </ul>
      {data.length >= PLACAS && <p className={auditoria.soft}>{t('placas.limite', { total: PLACAS })}</p>}
      {leaving && <RemovePlaca placa={leaving} onClose={() => setLeaving(null)} />}
    </>
  )
}
