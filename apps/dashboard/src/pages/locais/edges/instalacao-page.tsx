import { Button } from '@mantine/core'
import { IconBuilding, IconLock, IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { instalacaoQuery } from '../../../api/instalacao-query.ts'
import { formatFull } from '../../../base/tempo/format-time.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { EmpresaChoice } from '../../../session/empresa-choice.tsx'
import { ownEmpresa } from '../../../session/own-empresa.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { CardsSkeleton } from '../../../ui/cards-skeleton.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageActions, PageHead, Soft } from '../../../ui/page.tsx'
import classes from './instalacao.module.css'
import { InstalacaoCameras } from './instalacao-cameras.tsx'
import { InstalacaoLine } from './instalacao-line.tsx'
import { InstalacaoNext } from './instalacao-next.tsx'

/** The installation of one Empresa: how far it is, the next thing to do, each camera, and the record to print. */
export function InstalacaoPage() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  usePageTitle(t('instalacao.titulo'))
  if (me.papel !== 'administrador') return <Notice icon={<IconLock size={32} />} title={t('instalacao.so')} />
  const id = empresa ?? ownEmpresa(me)
  return (
    <>
      <div className={classes.screen}>
        <EmpresaChoice id={id} label={t('instalacao.empresa')} none={t('instalacao.nenhuma')} />
      </div>
      {id === null ? (
        <>
          <PageHead>
            <h1>{t('instalacao.titulo')}</h1>
          </PageHead>
          <Notice icon={<IconBuilding size={32} />} title={t('instalacao.escolha')} />
        </>
      ) : (
        <OfEmpresa key={id} id={id} />
      )}
    </>
  )
}

function OfEmpresa({ id }: { readonly id: number }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { nome, fuso } = useEmpresa(id)
  const now = useNow()
  const { data, error, refetch } = useQuery(instalacaoQuery(api, id))
  const ready = data?.proximo === null
  return (
    <>
      <PageHead>
        <h1>{t('instalacao.titulo')}</h1>
        <Soft className={classes.screen}>{t('instalacao.ajuda')}</Soft>
        {data && !ready && (
          <PageActions className={classes.screen}>
            <PrintButton isPrimary={false} />
          </PageActions>
        )}
      </PageHead>
      <p className={classes.only}>
        {t('instalacao.registro', {
          nome: nome ?? '',
          quando: fuso === null ? '' : formatFull(new Date(now).toISOString(), fuso),
        })}
      </p>
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <CardsSkeleton />}
      {data && (
        <>
          <InstalacaoLine instalacao={data} />
          <InstalacaoNext instalacao={data} whenReady={<PrintButton isPrimary />} />
          <InstalacaoCameras instalacao={data} />
          <p className={classes.signatures}>
            <span>{t('instalacao.instalador')}</span>
            <span>{t('instalacao.cliente')}</span>
          </p>
        </>
      )}
    </>
  )
}

function PrintButton({ isPrimary }: { readonly isPrimary: boolean }) {
  const { t } = useTranslation()
  return (
    <Button
      variant={isPrimary ? 'filled' : 'default'}
      leftSection={<IconPrinter size={18} aria-hidden="true" />}
      onClick={() => window.print()}
    >
      {t('instalacao.imprimir')}
    </Button>
  )
}
