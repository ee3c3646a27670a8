import type { Camera } from '@vigia/contracts/cameras'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

/**
 * Returns the present name of the zone of an event, else its number. An event stores only the number, so a name that
 * was given later is shown for older events, too.
 * @param camera undefined: it was removed, or is not loaded yet
 */
export function useZoneName(): (camera: Pick<Camera, 'nomes_zonas'> | undefined, zona: number) => string {
  const { t } = useTranslation()
  return useCallback(
    (camera, zona) => camera?.nomes_zonas[zona] ?? t('alertas.detalhe.zonaNumero', { numero: zona + 1 }),
    [t],
  )
}
