import type { ModoBConfig } from '@vigia/contracts/cameras'
import { polygons } from '@vigia/ias/geometry'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FrameDetections } from '../../../domains/video/aovivo/mjpeg-parser.ts'
import { Soft } from '../../../ui/page.tsx'
import classes from './camera.module.css'
import { type Drawing, zonasOf } from './drawing.ts'
import { HistoryButtons } from './history-buttons.tsx'
import { ShapeList } from './shape-list.tsx'
import { ShapeTools } from './shape-tools.tsx'
import { ShapesBoard } from './shapes-board.tsx'
import type { ShapesState } from './use-shapes.ts'

/** The region of plates as zones of a drawing. Their names are their numbers. */
export const regionDrawing = (regiao: ModoBConfig['regiao']): Drawing => ({
  zonas: polygons(regiao),
  nomes: [],
  linha: null,
})

/** The region in the form of the API. */
export const regionOf = (drawing: Drawing): ModoBConfig['regiao'] =>
  zonasOf(drawing, 'listas').map((inner) => [...inner])

/** Editor of the part of the picture in which vehicles count. */
export function PlateRegion({ shapes }: { shapes: ShapesState }) {
  const { t } = useTranslation()
  const [detections, setDetections] = useState<FrameDetections>(null)
  const { draft } = shapes
  const nomes = shapes.drawing.zonas.map((_zona, index) => t('placas.camera.area', { numero: index + 1 }))
  const drawing = { ...shapes.drawing, nomes }
  return (
    <section className={classes.card} aria-labelledby="regiao-placas">
      <h2 id="regiao-placas">{t('placas.camera.regiao')}</h2>
      <Soft id="teclas-do-editor">{t(draft ? 'camera.zonas.desenhando.zona' : 'placas.camera.regiaoAjuda')}</Soft>
      <ShapesBoard shapes={shapes} drawing={drawing} onDetections={setDetections} detections={detections} />
      <ShapeTools shapes={shapes} finish={t('placas.camera.areaConcluir')} draw={t('placas.camera.areaDesenhar')} />
      <HistoryButtons {...shapes} />
      <ShapeList
        drawing={drawing}
        label={t('placas.camera.regiao')}
        selected={shapes.selected}
        onSelect={shapes.select}
        onRemove={shapes.remove}
      />
    </section>
  )
}
