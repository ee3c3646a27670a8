import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Soft } from '../../../ui/page.tsx'
import { Section } from '../../../ui/section.tsx'
import { type FiltroRelatorio, trainingAddress } from './relatorio-query.ts'
import classes from './relatorios.module.css'

/** The reviewed pictures of the period, to download. */
export function Training({ filtro }: { filtro: FiltroRelatorio }) {
  const { t } = useTranslation()
  return (
    <Section className={classes.screen} aria-labelledby="treinamento">
      <div className={classes.head}>
        <h2 id="treinamento">{t('relatorios.treinamento.titulo')}</h2>
        <a className={classes.csv} href={trainingAddress(filtro)} download>
          <IconDownload size={16} aria-hidden="true" /> {t('relatorios.treinamento.baixar')}
        </a>
      </div>
      <Soft>{t('relatorios.treinamento.ajuda')}</Soft>
    </Section>
  )
}
