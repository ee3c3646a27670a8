import { IconHome, IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext, useSearch } from '@tanstack/react-router'
import { MAX_PRESENCAS, type Presenca } from '@vigia/contracts/presencas'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { presencasQuery } from '../../api/presencas-queries.ts'
import { useServices } from '../../session/services.ts'
import { usePageTitle } from '../../session/use-page-title.ts'
import { ListBody } from '../../ui/list-body.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageActions, PageHead, Soft } from '../../ui/page.tsx'
import { WindowedGrid } from '../../ui/windowed-grid.tsx'
import { CloseEstadia } from './close-estadia.tsx'
import classes from './placas.module.css'
import { PresencaCard } from './presenca-card.tsx'

/** Vehicles that have entered and not left, newest entry first. */
export function PresencasPage() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  usePageTitle(t('placas.presentes.titulo'))
  if (!me.ve_placas) return <Notice icon={<IconLock size={32} />} title={t('placas.so')} />
  return (
    <>
      <PageHead>
        <h1>{t('placas.presentes.titulo')}</h1>
        <Soft>{t('placas.presentes.ajuda')}</Soft>
        <PageActions>
          <Link to="/passagens" className={classes.link}>
            {t('placas.titulo')}
          </Link>
        </PageActions>
      </PageHead>
      <Presencas />
    </>
  )
}

/** First estimate of the height of a card with its picture, px. */
const CARD_PX = 400
const keyOf = ({ entrada }: Presenca) => entrada.passagem_id

function Presencas() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { empresa } = useSearch({ from: '/painel' })
  const [leaving, setLeaving] = useState<Presenca | null>(null)
  const query = useQuery(presencasQuery(api, empresa ?? null))
  const none = (
    <Notice
      icon={<IconHome size={32} />}
      title={t('placas.presentes.vazio.titulo')}
      text={t('placas.presentes.vazio.texto')}
    />
  )
  return (
    <ListBody query={query} none={none}>
      {(data) => (
        <>
          <p>{t('placas.presentes.total', { count: data.length })}</p>
          <WindowedGrid label={t('placas.presentes.titulo')} rows={data} keyOf={keyOf} cardPx={CARD_PX}>
            {(presenca) => <PresencaCard presenca={presenca} onLeft={() => setLeaving(presenca)} />}
          </WindowedGrid>
          {data.length >= MAX_PRESENCAS && <Soft>{t('placas.limite', { total: MAX_PRESENCAS })}</Soft>}
          {leaving && <CloseEstadia presenca={leaving} onClose={() => setLeaving(null)} />}
        </>
      )}
    </ListBody>
  )
}
