import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { saudeQuery } from '../api/queries.ts'
import { useServices } from '../services.ts'
import classes from './painel.module.css'

/** What the machine needs from the operator. Nobody else is shown it: an Empresa can do nothing about the machine. */
export function ServerWarnings() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const isOperator = me.papel === 'administrador' && me.empresa_id === null
  const { data } = useQuery({ ...saudeQuery(api), enabled: isOperator })
  return data?.avisos?.map((aviso) => (
    <p key={aviso} className={classes.warning} role="status" data-testid={`aviso-${aviso}`}>
      {t(`painel.servidor.${aviso}`)}
    </p>
  ))
}
