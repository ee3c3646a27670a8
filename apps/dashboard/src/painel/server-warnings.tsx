import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { saudeQuery } from '../api/queries.ts'
import { useServices } from '../services.ts'
import classes from './painel.module.css'

/** Warnings about the server for the operator. Only the operator sees them: an Empresa cannot repair the server. */
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
