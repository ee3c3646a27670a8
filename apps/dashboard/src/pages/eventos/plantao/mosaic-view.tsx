import type { Camera } from '@vigia/contracts/cameras'
import { type Gravidade, gravidades } from '@vigia/contracts/ias'
import type { Incidente } from '@vigia/contracts/incidentes'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMosaic, useMoving } from '../../../domains/video/aovivo/use-mosaic.ts'
import { isUnanswered } from '../../../live/alarm.ts'
import { useVisible } from '../../../ui/use-visible.ts'
import { LargeTile } from './large-tile.tsx'
import classes from './mosaic-view.module.css'
import { Tile } from './tile.tsx'

interface MosaicViewProps {
  readonly cameras: readonly Camera[]
  readonly selected: Incidente | null
  /** Incidentes of the queue; the unanswered ones mark their cameras. */
  readonly alarming: readonly Incidente[]
}

/** All cameras in a stable order. The large slot shows the camera of the selected incidente. */
export function MosaicView({ cameras, selected, alarming }: MosaicViewProps) {
  const { t } = useTranslation()
  const [pinned, setPinned] = useState<{ readonly incidente: number | null; readonly camera: number } | null>(null)
  const visible = useVisibleTiles()
  const incidente = selected?.id ?? null
  // Another incidente takes the large slot back.
  const pin = pinned?.incidente === incidente ? pinned.camera : null
  const large =
    cameras.find(({ id }) => id === pin) ?? cameras.find(({ id }) => id === selected?.camera_id) ?? cameras[0]
  const largeId = large?.id ?? null
  const shown = useMemo(() => new Set([...(largeId === null ? [] : [largeId]), ...visible.ids]), [largeId, visible.ids])
  const online = cameras.filter(({ id, status }) => status === 'online' && shown.has(id)).map(({ id }) => id)
  const mosaic = useMosaic(online, largeId)
  const moving = useMoving(mosaic)
  const isPageVisible = useVisible()
  const severities = severityByCamera(alarming)
  const onShow = useCallback((camera: number) => setPinned({ incidente, camera }), [incidente])

  return (
    <section className={classes.mosaic} aria-label={t('plantao.mosaico')}>
      {large ? (
        <LargeTile camera={large} mosaic={mosaic} gravidade={severities.get(large.id) ?? null} />
      ) : (
        <p className={classes.none}>{t('plantao.camera.nenhuma')}</p>
      )}
      <ul className={classes.tiles} data-quantas={sizeOf(cameras.length)}>
        {cameras.map((camera) => (
          <li key={camera.id} data-camera={camera.id} ref={visible.observe}>
            <Tile
              camera={camera}
              mosaic={mosaic}
              isVisible={shown.has(camera.id)}
              isLarge={camera.id === largeId}
              isLive={isPageVisible && moving.includes(camera.id)}
              gravidade={severities.get(camera.id) ?? null}
              onShow={onShow}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A wall with few cameras shows them larger. */
const sizeOf = (cameras: number): string => (cameras <= 8 ? 'poucas' : cameras <= 24 ? 'algumas' : 'muitas')

/** Highest severity of the unanswered incidentes of each camera. */
function severityByCamera(incidentes: readonly Incidente[]): ReadonlyMap<number, Gravidade> {
  const severities = new Map<number, Gravidade>()
  for (const incidente of incidentes) {
    if (!isUnanswered(incidente)) continue
    const before = severities.get(incidente.camera_id)
    const isHigher = before === undefined || gravidades.indexOf(before) < gravidades.indexOf(incidente.gravidade)
    if (isHigher) severities.set(incidente.camera_id, incidente.gravidade)
  }
  return severities
}

/** Ids of the tiles on the screen. `observe` is the ref of each tile. */
function useVisibleTiles() {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const [observer] = useState(
    () =>
      new IntersectionObserver((entries) => {
        setIds((before) => {
          const next = new Set(before)
          for (const { target, isIntersecting } of entries) {
            const id = Number((target as HTMLElement).dataset.camera)
            if (isIntersecting) next.add(id)
            else next.delete(id)
          }
          return next
        })
      }),
  )
  const observe = useCallback(
    (tile: HTMLLIElement | null) => {
      if (!tile) return
      observer.observe(tile)
      return () => {
        observer.unobserve(tile)
        const id = Number(tile.dataset.camera)
        setIds((before) => new Set([...before].filter((one) => one !== id)))
      }
    },
    [observer],
  )
  return { ids, observe }
}
