import { polygons } from '@vigia/ias/geometry'
import { useTranslation } from 'react-i18next'
import { useCamera, useMayWrite } from '../../../domains/locais/cameras/use-camera.tsx'
import classes from './camera.module.css'
import { Mascaras } from './mascaras.tsx'
import { Som } from './som.tsx'

/** Privacy masks and audio. A login that may not change them reads how they are. */
export function PrivacidadePage() {
  const { t } = useTranslation()
  const { mascaras } = useCamera()
  const mayWrite = useMayWrite()
  const count = polygons(mascaras).length
  return (
    <>
      {mayWrite ? (
        <Mascaras />
      ) : (
        <p>{count === 0 ? t('camera.mascaras.nenhuma') : t('camera.mascaras.quantas', { count })}</p>
      )}
      <div className={classes.narrow} style={{ marginTop: '1.2rem' }}>
        <Som />
      </div>
    </>
  )
}
