import type { Camera } from '@vigia/contracts/cameras'
import { ia } from '@vigia/contracts/ias'
import { useTranslation } from 'react-i18next'
import { textsOfIa } from '../../../texts/ia-texts.ts'
import classes from './camera.module.css'
import { drawingOf } from './drawing.ts'
import { useWindowText, windowsOf } from './window-text.ts'

/** The enabled IAs of a camera with their hours, and the watched part of the frame. */
export function WatchedList({ camera }: { camera: Camera }) {
  const { t } = useTranslation()
  const say = useWindowText()
  const zones = drawingOf(camera).zonas.length
  const where = zones === 0 ? t('camera.aoVivo.quadroInteiro') : t('camera.aoVivo.zonas', { count: zones })
  return (
    <section className={classes.card} aria-labelledby="vigia-titulo">
      <h2 id="vigia-titulo">{t('camera.aoVivo.vigia')}</h2>
      {camera.eventos_habilitados.length === 0 ? (
        <p className={classes.warn}>{t('camera.aoVivo.nenhuma')}</p>
      ) : (
        <dl className={classes.factList}>
          {camera.eventos_habilitados.map((nome) => (
            <div key={nome}>
              <dt>{textsOfIa(nome).titulo}</dt>
              <dd>
                {say(windowsOf(camera, nome))}
                {ia(nome).geometria === 'zona' && ` · ${where}`}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
