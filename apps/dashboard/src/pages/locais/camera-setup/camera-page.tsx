import { Skeleton } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useParams, useSearch } from '@tanstack/react-router'
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
import areaClasses from './areas.module.css'
import { areas } from './areas.ts'
import classes from './camera.module.css'
import { CameraControls } from './camera-controls.tsx'
import { cameraQuery } from './camera-queries.ts'
import { Silence } from './silence.tsx'

/** The page of one camera: its name, its status, and its areas, which are pages with their own addresses. */
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
  const { instalacao } = useSearch({ from: '/painel/cameras/$id' })
  const { nome: empresa } = useEmpresa(camera.empresa_id)
  return (
    <div className={classes.head}>
      {instalacao === true ? (
        <Link to="/instalacao" className={classes.back}>
          <IconChevronLeft size={18} aria-hidden="true" /> {t('instalacao.continuar')}
        </Link>
      ) : (
        <Link to="/cameras" className={classes.back}>
          <IconChevronLeft size={18} aria-hidden="true" /> {t('cameras.titulo')}
        </Link>
      )}
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

/** The areas of the camera, and below them the pages of the area that is open. */
function Tabs() {
  const { t } = useTranslation()
  const mayWrite = useMayWrite()
  const { pathname } = useLocation()
  const tabs = useRef<HTMLElement>(null)
  // A phone shows three of the areas.
  useEffect(() => {
    const shown = tabs.current?.querySelector(`[href^="${pathname}"][aria-current="page"]`)
    shown?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname])
  const params = { id: String(useCamera().id) }
  const parts = areas.find(({ parts }) => parts.some(({ to }) => to.replace('$id', params.id) === pathname))?.parts
  const shownParts = parts?.filter(({ writes }) => mayWrite || !writes) ?? []
  return (
    <>
      <nav ref={tabs} className={classes.tabs} aria-label={t('camera.abas.titulo')}>
        {areas
          .filter(({ writes }) => mayWrite || !writes)
          .map(({ to, text, parts: { length } }) => (
            <Link
              key={to}
              to={to}
              params={params}
              className={classes.tab}
              activeOptions={{ exact: length === 0, includeSearch: false }}
            >
              {t(`camera.abas.${text}`)}
            </Link>
          ))}
      </nav>
      {shownParts.length > 1 && (
        <nav className={areaClasses.parts} aria-label={t('camera.abas.partes')}>
          {shownParts.map(({ to, text }) => (
            <Link
              key={to}
              to={to}
              params={params}
              className={areaClasses.part}
              activeOptions={{ exact: true, includeSearch: false }}
            >
              {t(`camera.abas.${text}`)}
            </Link>
          ))}
        </nav>
      )}
    </>
  )
}
