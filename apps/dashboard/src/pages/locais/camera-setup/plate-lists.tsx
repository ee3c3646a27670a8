import { Textarea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Soft } from '../../../ui/page.tsx'
import classes from './camera.module.css'
import { platesOf, wrongPlate } from './own-plates.ts'

/** The text of each list, one plate a line. */
export interface PlateTexts {
  readonly permitidas: string
  readonly bloqueadas: string
}

const LISTS = ['permitidas', 'bloqueadas'] as const

interface PlateListsProps {
  readonly texts: PlateTexts
  readonly onChange: (texts: PlateTexts) => void
}

/** The lists of plates of this camera only. */
export function PlateLists({ texts, onChange }: PlateListsProps) {
  const { t } = useTranslation()
  return (
    <section className={classes.card} aria-labelledby="placas-da-camera">
      <h2 id="placas-da-camera">{t('placas.camera.listas')}</h2>
      <Soft>
        {t('placas.camera.listasAjuda')}{' '}
        <Link to="/placas" className={classes.link}>
          {t('placas.camera.listasEmpresa')}
        </Link>
      </Soft>
      {LISTS.map((lista) => {
        const wrong = wrongPlate(platesOf(texts[lista]))
        return (
          <Textarea
            key={lista}
            label={t(`placas.camera.lista.${lista}`)}
            description={t('placas.camera.umaPorLinha')}
            rows={4}
            autoComplete="off"
            value={texts[lista]}
            error={wrong === null ? null : t('placas.camera.placaErrada', { placa: wrong })}
            onChange={(event) => onChange({ ...texts, [lista]: event.currentTarget.value })}
          />
        )
      })}
    </section>
  )
}
