import { VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { Instalacao } from '@vigia/contracts/instalacao'
import { useTranslation } from 'react-i18next'
import classes from './instalacao.module.css'

/** The steps in one line, each with its state and how many are done. */
export function InstalacaoLine({ instalacao: { passos, proximo } }: { readonly instalacao: Instalacao }) {
  const { t } = useTranslation()
  return (
    <ol className={classes.line} aria-label={t('instalacao.linha')}>
      {passos.map(({ passo, feito, feitas, total }, index) => (
        <li
          key={passo}
          data-done={feito || undefined}
          aria-current={passo === proximo?.passo ? 'step' : undefined}
          className={classes.step}
        >
          <span className={classes.mark} aria-hidden="true">
            {feito ? <IconCheck size={18} /> : index + 1}
          </span>
          <span className={classes.stepName}>{t(`instalacao.passo.${passo}`)}</span>
          <VisuallyHidden>, {t(feito ? 'instalacao.feito' : 'instalacao.falta')}</VisuallyHidden>
          {total > 0 && <span className={classes.count}>{t('instalacao.conta', { feitas, total })}</span>}
        </li>
      ))}
    </ol>
  )
}
