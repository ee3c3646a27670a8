import { Switch } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { empresaSchema } from '@vigia/contracts/empresas'
import type { LimitesEmpresa } from '@vigia/contracts/limites'
import { useTranslation } from 'react-i18next'
import { empresasQuery } from '../../../api/queries.ts'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'

/** Switch that hides plates of vehicles from the vigilantes of an Empresa. */
export function PlateRule({ empresa: { empresa_id, nome } }: { readonly empresa: LimitesEmpresa }) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const { data } = useQuery(empresasQuery(api))
  const change = useMutation({
    mutationFn: (esconder_placas_vigilante: boolean) =>
      api.send('PATCH', `/empresas/${empresa_id}`, { esconder_placas_vigilante }, empresaSchema),
    onSuccess() {
      void queries.invalidateQueries({ queryKey: ['empresas'] })
      announce(t('empresas.placas.anuncio', { nome }))
    },
  })
  const empresa = data?.find(({ id }) => id === empresa_id)
  if (!empresa) return null
  return (
    <Switch
      label={t('empresas.placas.rotulo')}
      aria-label={t('empresas.placas.rotuloDe', { nome })}
      size="xs"
      disabled={change.isPending}
      error={change.error?.message}
      checked={change.isPending ? change.variables : empresa.esconder_placas_vigilante}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  )
}
