import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { relogioServidorSchema } from '@vigia/contracts/saude'
import { useTranslation } from 'react-i18next'
import { saudeQuery } from '../../api/queries.ts'
import { useServices } from '../../session/services.ts'
import { pageLocale } from '../../texts/locale.ts'
import { Warning } from '../../ui/warning.tsx'

/** Warnings about the server for the operator. Only the operator sees them: an Empresa cannot repair the server. */
export function ServerWarnings() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const isOperator = me.papel === 'administrador' && me.empresa_id === null
  const { data } = useQuery({ ...saudeQuery(api), enabled: isOperator })
  return data?.avisos?.map((aviso) => (
    <Warning as="div" key={aviso} role="status" data-testid={`aviso-${aviso}`}>
      {t(`painel.servidor.${aviso}`)}
      {(aviso === 'relogio_duvidoso' || aviso === 'apagamento_retido') && <ClockCheck />}
    </Warning>
  ))
}

/** Shows the time of the server, and lets the operator confirm it. */
function ClockCheck() {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const { data } = useQuery({
    queryKey: ['relogio'],
    queryFn: ({ signal }) => api.get('/relogio', relogioServidorSchema, signal),
  })
  const confirm = useMutation({
    mutationFn: () => api.send('POST', '/relogio/confirmacao', {}, relogioServidorSchema),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['saude'] }),
  })
  if (!data) return null
  return (
    <span>
      {' '}
      {t('painel.servidor.horaServidor', { hora: new Date(data.hora).toLocaleString(pageLocale()) })}{' '}
      <Button size="compact-sm" variant="default" loading={confirm.isPending} onClick={() => confirm.mutate()}>
        {t('painel.servidor.horaCerta')}
      </Button>
    </span>
  )
}
