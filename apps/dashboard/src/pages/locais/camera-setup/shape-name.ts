import { useTranslation } from 'react-i18next'
import type { Drawing, Shape } from './drawing.ts'

/** Returns the name of a shape: that of the zone, else its number. */
export function useShapeName(): (drawing: Drawing, shape: Shape) => string {
  const { t } = useTranslation()
  return (drawing, shape) =>
    shape.kind === 'linha'
      ? t('camera.zonas.linha')
      : (drawing.nomes[shape.index] ?? t('camera.zonas.zona', { numero: shape.index + 1 }))
}
