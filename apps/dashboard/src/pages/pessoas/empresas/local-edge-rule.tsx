import { Switch } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { empresaSchema } from '@vigia/contracts/empresas'
import type { LimitesEmpresa } from '@vigia/contracts/limites'
import { useTranslation } from 'react-i18next'
import { empresasQuery } from '../../../api/queries.ts'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'

/** Switch of the operator: whether the box of the installation serves the Empresa. */
export function LocalEdgeRule({ empresa: { empresa_id, nome } }: { readonly empresa: LimitesEmpresa }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const { me } = useRouteContext({ from: '/painel' })
  const { data } = useQuery(empresasQuery(api))
  const change = useMutation({
    mutationFn: (usa_edge_local: boolean) =>
      api.send('PATCH', `/empresas/${empresa_id}`, { usa_edge_local }, empresaSchema),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['empresas'] })
      announce(t('empresas.caixaLocal.anuncio', { nome }))
    },
  })
  const empresa = data?.find(({ id }) => id === empresa_id)
  if (!empresa || me.empresa_id !== null) return null
  return (
    <Switch
      label={t('empresas.caixaLocal.rotulo')}
      aria-label={t('empresas.caixaLocal.rotuloDe', { nome })}
      description={t('empresas.caixaLocal.ajuda')}
      size="xs"
      disabled={change.isPending}
      error={change.error?.message}
      checked={change.isPending ? change.variables : empresa.usa_edge_local}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  )
}
