import type { Camera } from '@vigia/contracts/cameras'
import type { Queda } from '@vigia/contracts/eventos'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { openQuedaOf } from '../../../api/queda-list.ts'
import { useMosaic } from '../../../domains/video/aovivo/use-mosaic.ts'
import { useLongList, useWindowed } from '../../../ui/use-windowed.ts'
import { CameraCard } from './camera-card.tsx'
import classes from './camera-grid.module.css'
import { type GridRow, gridRows, gridSizes } from './grid-rows.ts'
import type { CameraGroup } from './group-cameras.ts'

interface CameraGridProps {
  readonly groups: readonly CameraGroup[]
  /** Open quedas. */
  readonly quedas: readonly Queda[]
}

/** Pictures of the cameras by group. Only the rows near the window are in the page. */
export function CameraGrid({ groups, quedas }: CameraGridProps) {
  const { t } = useTranslation()
  const list = useLongList()
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  const sizes = useMemo(() => gridSizes(list.width, rem), [list.width, rem])
  // Without a width there is no row yet.
  const rows = useMemo(() => (list.width === 0 ? [] : gridRows(groups, sizes)), [groups, sizes, list.width])
  const { virtualizer, items, height } = useWindowed(rows, list)
  const mosaic = useMosaic(onlineIds(rows, virtualizer.range), null)
  const shown = items.flatMap(({ index, start }) => {
    const row = rows[index]
    return row ? [{ row, top: start - list.top }] : []
  })
  const { columns, cardWidth, cardHeight, headingHeight, gap } = sizes
  const left = (index: number) => (index % columns) * (cardWidth + gap)
  return (
    <div ref={list.container} className={classes.grid} style={{ height }}>
      {[...Map.groupBy(shown, ({ row }) => row.group)].map(([group, own]) => (
        <section key={group.key} aria-label={group.nome ?? t('cameras.titulo')}>
          {own.map(
            ({ row, top }) =>
              row.cameras.length === 0 && (
                <h2 key={row.key} className={classes.heading} style={{ top, height: headingHeight }}>
                  {group.nome} <span>{t('cameras.quantas', { count: group.cameras.length })}</span>
                </h2>
              ),
          )}
          <ul>
            {own.flatMap(({ row, top }) =>
              row.cameras.map((camera, index) => (
                <li
                  key={camera.id}
                  data-row={row.key}
                  aria-setsize={group.cameras.length}
                  aria-posinset={row.first + index + 1}
                  className={classes.slot}
                  style={{ top, left: left(index), width: cardWidth, height: cardHeight }}
                >
                  <CameraCard camera={camera} mosaic={mosaic} queda={openQuedaOf(quedas, camera.id)} />
                </li>
              )),
            )}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** The online cameras in the window. Others need no picture. */
function onlineIds(rows: readonly GridRow[], range: { startIndex: number; endIndex: number } | null): number[] {
  const visible: readonly Camera[] = range
    ? rows.slice(range.startIndex, range.endIndex + 1).flatMap(({ cameras }) => cameras)
    : []
  return visible.filter(({ status }) => status === 'online').map(({ id }) => id)
}
