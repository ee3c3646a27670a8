import { useTranslation } from 'react-i18next'
import { useLive } from '../../session/live-provider.tsx'
import classes from './header.module.css'

/** Shows whether the page is live. */
export function ConnectionState() {
  const { t } = useTranslation()
  const { state } = useLive()
  return (
    <span className={classes.state} data-state={state} data-testid="estado-fluxo">
      <span className={classes.dot} aria-hidden="true" />
      {t(`painel.fluxo.${state}`)}
    </span>
  )
}
