import { Button, Skeleton } from '@mantine/core'
import { IconBell, IconMaximize, IconMinimize } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Camera } from '@vigia/contracts/cameras'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { camerasQuery, empresasQuery } from '../../../api/queries.ts'
import { useMosaic, useMoving } from '../../../domains/video/aovivo/use-mosaic.ts'
import { useServices } from '../../../session/services.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { usePreferencias } from '../../../session/use-preferencias.ts'
import { Failure } from '../../../ui/failure.tsx'
import { toggleFullScreen, useFullScreen } from '../../../ui/use-full-screen.ts'
import { useVisible } from '../../../ui/use-visible.ts'
import { MosaicControls } from './mosaic-controls.tsx'
import classes from './mosaico-page.module.css'
import { chosenOf, pageOf, sizeFor } from './pages.ts'
import { Tile } from './tile.tsx'
import { useSeverityByCamera } from './use-severity-by-camera.ts'

/** The cameras live, in pages of 1, 4, 9 or 16, with the layouts of the login and a patrol. */
export function MosaicoPage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const search = useSearch({ from: '/painel/mosaico' })
  const navigate = useNavigate({ from: '/mosaico' })
  const isFull = useFullScreen()
  const { preferencias, isReady } = usePreferencias()
  const { data, error, refetch } = useQuery(camerasQuery(api, search.empresa ?? null))
  // A layout that is not loaded yet must not show other cameras first.
  const cameras = search.arranjo === undefined || isReady ? data : undefined
  const severities = useSeverityByCamera()
  const layout = preferencias.mosaicos.find(({ nome }) => nome === search.arranjo)
  const chosen = chosenOf(cameras ?? [], layout)
  const quadros = search.quadros ?? layout?.quadros ?? sizeFor(chosen.length)
  const { shown, pages, page } = pageOf(chosen, quadros, search.pagina ?? 1)
  const ronda = search.ronda ?? layout?.ronda_s ?? 0
  usePageTitle(t('plantao.mosaicos.titulo'))
  const turn = (pagina: number) => void navigate({ search: (now) => ({ ...now, pagina }), replace: true })
  usePatrol(pages > 1 ? ronda : 0, page, () => turn((page % pages) + 1))
  const alarming = chosen.filter(({ id }) => severities.has(id)).length
  const screen = t(isFull ? 'plantao.tela.sair' : 'plantao.tela.cheia')
  return (
    <>
      <div className={classes.head}>
        <h1>{t('plantao.mosaicos.titulo')}</h1>
        <MosaicControls cameras={cameras ?? []} layout={layout} state={{ quadros, ronda, page, pages }} onTurn={turn} />
        <Link to="/" className={classes.alarms} data-ha={alarming > 0 || undefined}>
          <IconBell size={18} aria-hidden="true" />
          {alarming === 0
            ? t('plantao.mosaicos.semIncidente')
            : t('plantao.mosaicos.comIncidente', { count: alarming })}
        </Link>
        <Button variant="default" size="sm" aria-label={screen} title={screen} onClick={toggleFullScreen}>
          {isFull ? <IconMinimize size={18} /> : <IconMaximize size={18} />}
        </Button>
      </div>
      {!cameras && !error && <Skeleton height={320} radius="md" />}
      {error && !cameras && <Failure error={error} onRetry={() => void refetch()} />}
      {cameras && <Tiles shown={shown} quadros={quadros} severities={severities} />}
    </>
  )
}

/** Turns the page some time after it was shown, while the tab is visible. @param seconds 0: never */
function usePatrol(seconds: number, page: number, turn: () => void): void {
  const isVisible = useVisible()
  const latest = useRef(turn)
  useEffect(() => {
    latest.current = turn
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page begins a new pause
  useEffect(() => {
    if (seconds === 0 || !isVisible) return
    const timer = setTimeout(() => latest.current(), seconds * 1000)
    return () => clearTimeout(timer)
  }, [seconds, isVisible, page])
}

interface TilesProps {
  readonly shown: readonly Camera[]
  readonly quadros: number
  readonly severities: ReturnType<typeof useSeverityByCamera>
}

function Tiles({ shown, quadros, severities }: TilesProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const isVisible = useVisible()
  const { data: empresas = [] } = useQuery(empresasQuery(api))
  const online = shown.filter(({ status }) => status === 'online').map(({ id }) => id)
  const mosaic = useMosaic(online, quadros === 1 ? (online[0] ?? null) : null)
  const moving = useMoving(mosaic)
  const liveOf = (id: number) => (quadros === 1 ? 'aberta' : moving.includes(id) ? 'mosaico' : null)
  return (
    <ul className={classes.tiles} data-fills="" data-quadros={quadros} aria-label={t('plantao.mosaico')}>
      {shown.map((camera) => (
        <li key={camera.id} data-camera={camera.id}>
          <Tile
            camera={camera}
            mosaic={mosaic}
            live={isVisible ? liveOf(camera.id) : null}
            namesEmpresa={empresas.length > 1}
            gravidade={severities.get(camera.id) ?? null}
          />
        </li>
      ))}
      {Array.from({ length: quadros - shown.length }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: empty tiles have no identity
        <li key={`empty ${at}`} className={classes.empty}>
          {t('plantao.mosaicos.vazio')}
        </li>
      ))}
    </ul>
  )
}
