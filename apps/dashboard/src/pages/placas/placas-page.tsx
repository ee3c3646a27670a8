import { Button } from '@mantine/core'
import { IconLicense, IconLock, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext, useSearch } from '@tanstack/react-router'
import type { PlacaListada } from '@vigia/contracts/placas'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PLACAS, placasQuery } from '../../api/placas-queries.ts'
import { ownEmpresa } from '../../session/own-empresa.ts'
import { useServices } from '../../session/services.ts'
import { usePageTitle } from '../../session/use-page-title.ts'
import { ListBody } from '../../ui/list-body.tsx'
import { Notice } from '../../ui/notice.tsx'
import { CardGrid, PageActions, PageHead, Soft } from '../../ui/page.tsx'
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
  const listed = empresa ?? ownEmpresa(me)
  const mayWrite = me.papel === 'administrador'
  return (
    <>
      <PageHead>
        <h1>{t('placas.listas.titulo')}</h1>
        <Soft>{t('placas.listas.ajuda')}</Soft>
        <PageActions>
          <Link to="/passagens" className={classes.link}>
            {t('placas.titulo')}
          </Link>
          {mayWrite && (
            <Button leftSection={<IconPlus size={18} />} onClick={() => setAdding(true)}>
              {t('placas.listas.criar')}
            </Button>
          )}
        </PageActions>
      </PageHead>
      {listed !== null && <ImportPlacas empresa={listed} mayWrite={mayWrite} />}
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
  const query = useQuery(placasQuery(api, empresa ?? null))
  const none = (
    <Notice
      icon={<IconLicense size={32} />}
      title={t('placas.listas.vazio.titulo')}
      text={t('placas.listas.vazio.texto')}
    />
  )
  return (
    <ListBody query={query} none={none}>
      {(data) => (
        <>
          <CardGrid aria-label={t('placas.listas.titulo')}>
            {data.map((placa) => (
              <li key={placa.id}>
                <PlacaCard placa={placa} onRemove={mayWrite ? () => setLeaving(placa) : null} />
              </li>
            ))}
          </CardGrid>
          {data.length >= PLACAS && <Soft>{t('placas.limite', { total: PLACAS })}</Soft>}
          {leaving && <RemovePlaca placa={leaving} onClose={() => setLeaving(null)} />}
        </>
      )}
    </ListBody>
  )
}
