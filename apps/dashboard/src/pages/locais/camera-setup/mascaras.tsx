import { Alert, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Camera } from '@vigia/contracts/cameras'
import { polygons } from '@vigia/ias/geometry'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { Soft } from '../../../ui/page.tsx'
import classes from './camera.module.css'
import { mascarasQuery } from './camera-queries.ts'
import { type Drawing, problemsOf, zonasOf } from './drawing.ts'
import { HistoryButtons } from './history-buttons.tsx'
import { SaveBar } from './save-bar.tsx'
import { ShapeList } from './shape-list.tsx'
import { ShapeTools } from './shape-tools.tsx'
import { ShapesBoard } from './shapes-board.tsx'
import { useCameraSave } from './use-camera-save.ts'
import { useShapes } from './use-shapes.ts'

const FIELDS = ['mascaras'] as const
const FORMS = { zonas: 'listas', linha: 'pontos' } as const

/** Masks as zones of a drawing. Their names are their numbers. */
const drawingOf = ({ mascaras }: Camera): Drawing => ({ zonas: polygons(mascaras), nomes: [], linha: null })

const named = (drawing: Drawing, t: TFunction): Drawing => ({
  ...drawing,
  nomes: drawing.zonas.map((_zona, index) => t('camera.mascaras.uma', { numero: index + 1 })),
})

/** Editor of the privacy masks, on the live picture. */
export function Mascaras() {
  const { t } = useTranslation()
  const save = useCameraSave(FIELDS, 'mascaras')
  const { opened } = save
  const shapes = useShapes(drawingOf(opened))
  const { draft } = shapes
  const [isCovered, setCovered] = useState(false)
  const drawing = named(shapes.drawing, t)
  const mascaras = zonasOf(drawing, FORMS.zonas)
  const dirty = JSON.stringify(mascaras) !== JSON.stringify(zonasOf(drawingOf(opened), FORMS.zonas))
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        <div data-covered={isCovered || undefined} className={classes.masks}>
          <ShapesBoard shapes={shapes} drawing={drawing} />
        </div>
        <Soft id="teclas-do-editor">{t(draft ? 'camera.mascaras.desenhando' : 'camera.mascaras.ajuda')}</Soft>
        <Switch
          label={t('camera.mascaras.previa')}
          checked={isCovered}
          onChange={(event) => setCovered(event.currentTarget.checked)}
        />
      </div>
      <div className={classes.side}>
        <Soft>{t('camera.mascaras.efeito')}</Soft>
        <Situation camera={opened} />
        <ShapeTools shapes={shapes} finish={t('camera.mascaras.concluir')} draw={t('camera.mascaras.desenhar')} />
        <HistoryButtons {...shapes} />
        {drawing.zonas.length === 0 && <Soft>{t('camera.mascaras.nenhuma')}</Soft>}
        <ShapeList
          drawing={drawing}
          label={t('camera.mascaras.lista')}
          selected={shapes.selected}
          onSelect={shapes.select}
          onRemove={shapes.remove}
        />
        <SaveBar
          save={save}
          patch={dirty ? { mascaras: mascaras.map((inner) => [...inner]) } : null}
          problems={problemsOf(drawing, FORMS)}
          onReset={(stored) => shapes.reset(drawingOf(stored))}
        />
      </div>
    </div>
  )
}

/** Whether the box applies the stored masks. */
function Situation({ camera }: { camera: Camera }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data } = useQuery(mascarasQuery(api, camera))
  if (!data || data.situacao === 'sem_mascara') return null
  return (
    <>
      {data.situacao === 'aplicada' && <p role="status">{t('camera.mascaras.aplicada')}</p>}
      {data.detalhe !== null && (
        <Alert color={data.situacao === 'caixa_antiga' ? 'red' : 'yellow'} variant="light" role="alert">
          {data.detalhe}
        </Alert>
      )}
    </>
  )
}
