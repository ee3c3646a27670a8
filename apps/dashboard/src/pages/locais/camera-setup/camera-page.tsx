import { Skeleton } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router'
import { VigiaError } from '@vigia/contracts/errors'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { StatusTag } from '../../../domains/locais/cameras/status-tag.tsx'
import { CameraContext, useCamera, useMayWrite } from '../../../domains/locais/cameras/use-camera.tsx'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { ButtonLink } from '../../../ui/button-link.tsx'
import { NotFoundPage } from '../../../ui/crash-page.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Soft } from '../../../ui/page.tsx'
import classes from './camera.module.css'
import { CameraControls } from './camera-controls.tsx'
import { cameraQuery } from './camera-queries.ts'
import { Silence } from './silence.tsx'

/** The page of one camera: its name, its status, and its tabs, which are pages with their own addresses. */
export function CameraPage() {
  const { id } = useParams({ from: '/painel/cameras/$id' })
  return /^[1-9]\d{0,9}$/.test(id) ? <Loaded key={id} id={Number(id)} /> : <NotFoundPage />
}

function Loaded({ id }: { id: number }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data, error, refetch } = useQuery(cameraQuery(api, id))
  usePageTitle(data?.nome ?? t('cameras.titulo'))
  const isGone = error instanceof VigiaError && error.code === 'nao_encontrado'
  if (data && !isGone)
    return (
      <CameraContext value={data}>
        <Head />
        <Tabs />
        <Outlet />
      </CameraContext>
    )
  return (
    <>
      <div className={classes.head}>
        <h1>{t('camera.semNome', { id })}</h1>
      </div>
      {isGone && (
        <Notice
          role="alert"
          title={error.detalhe}
          text={t('camera.naoExiste')}
          action={<ButtonLink to="/cameras">{t('cameras.titulo')}</ButtonLink>}
        />
      )}
      {error && !isGone && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && (
        <div aria-busy="true">
          <Skeleton height={90} radius="md" mb="md" />
          <Skeleton height={320} radius="md" />
        </div>
      )}
    </>
  )
}

function Head() {
  const { t } = useTranslation()
  const camera = useCamera()
  const mayWrite = useMayWrite()
  const { nome: empresa } = useEmpresa(camera.empresa_id)
  return (
    <div className={classes.head}>
      <Link to="/cameras" className={classes.back}>
        <IconChevronLeft size={18} aria-hidden="true" /> {t('cameras.titulo')}
      </Link>
      <div className={classes.name}>
        <h1>{camera.nome}</h1>
        <StatusTag status={camera.status} />
        <Silence camera={camera} />
        {mayWrite && <CameraControls />}
      </div>
      {empresa && <Soft>{empresa}</Soft>}
      {camera.status_detalhe && <p>{camera.status_detalhe}</p>}
    </div>
  )
}

/** The tabs that only an administrador opens are between the two that show the camera and its past. */
function Tabs() {
  const { t } = useTranslation()
  const mayWrite = useMayWrite()
  const { pathname } = useLocation()
  const tabs = useRef<HTMLElement>(null)
  // A phone shows three of the tabs.
  useEffect(() => {
    const shown = tabs.current?.querySelector(`[href^="${pathname}"][aria-current="page"]`)
    shown?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname])
  const params = { id: String(useCamera().id) }
  const link = { params, className: classes.tab, activeOptions: { exact: true, includeSearch: false } } as const
  return (
    <nav ref={tabs} className={classes.tabs} aria-label={t('camera.abas.titulo')}>
      <Link to="/cameras/$id" {...link}>
        {t('camera.abas.aoVivo')}
      </Link>
      {mayWrite && (
        <>
          <Link to="/cameras/$id/o-que-vigia" {...link}>
            {t('camera.abas.vigia')}
          </Link>
          <Link to="/cameras/$id/zonas" {...link}>
            {t('camera.abas.zonas')}
          </Link>
          <Link to="/cameras/$id/mascaras" {...link}>
            {t('camera.abas.mascaras')}
          </Link>
          <Link to="/cameras/$id/horarios" {...link}>
            {t('camera.abas.horarios')}
          </Link>
          <Link to="/cameras/$id/sensibilidade" {...link}>
            {t('camera.abas.sensibilidade')}
          </Link>
          <Link to="/cameras/$id/instrucoes" {...link}>
            {t('camera.abas.instrucoes')}
          </Link>
          <Link to="/cameras/$id/placas" {...link}>
            {t('camera.abas.placas')}
          </Link>
          <Link to="/cameras/$id/prova" {...link}>
            {t('camera.abas.prova')}
          </Link>
        </>
      )}
      <Link to="/cameras/$id/saude" {...link}>
        {t('camera.abas.saude')}
      </Link>
      <Link to="/cameras/$id/eventos" {...link}>
        {t('camera.abas.eventos')}
      </Link>
      <Link to="/cameras/$id/gravacoes" {...link}>
        {t('camera.abas.gravacoes')}
      </Link>
    </nav>
  )
}
